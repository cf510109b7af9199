import { claimKey } from '@reins/bus';
import type { RunAddress } from '@reins/contracts';
import { type EffectState, effectKind } from '@reins/journal';
import { MARGIN_MS } from '../decide/deadlines.ts';
import type { StartDeadline } from '../decide/decision-context.ts';
import type { RunPorts } from '../run-ports.ts';

type Ports = Pick<RunPorts, 'claims' | 'clock' | 'stageHosts' | 'stageQueue' | 'stageQueueForMs'>;

/**
 * The start deadlines of one run's stages. An attempt is late when live hosts of its runtime were idle for too long and
 * did not claim it. It is neither late nor failed while the hosts are busy, while there is none, or while it is unknown
 * what they do. A request that was lost does not wait. Extensions are not recorded: a new owner finds the recorded
 * deadline passed, and checks the hosts again.
 */
export class StartDeadlines {
  readonly #ports: Ports;
  readonly #run: RunAddress;
  /** By effect id. A later attempt and a resumed stage are requested at another time. */
  readonly #extended = new Map<string, { readonly requestedAt: string; readonly due: number }>();

  constructor(ports: Ports, run: RunAddress) {
    this.#ports = ports;
    this.#run = run;
  }

  /** The extended deadline, in milliseconds since the epoch; undefined when it was not extended. */
  readonly extended = ({ effectId, requestedAt }: EffectState): number | undefined => {
    const extended = this.#extended.get(effectId);
    return extended?.requestedAt === requestedAt ? extended.due : undefined;
  };

  /** Decides a passed deadline: extends it, or revokes the attempt unless a host has claimed it. */
  async passed(effect: EffectState): Promise<StartDeadline> {
    const { attempt, effectId, request, requestedAt, resumptions } = effect;
    const now = this.#ports.clock.now().getTime();
    const due = this.#dueOf(effect, now);
    if (due > now && (await this.#ports.stageQueue.holds(this.#run, String(request.runtimeId)))) {
      this.#extended.set(effectId, { requestedAt, due });
      return { outcome: 'queued' };
    }
    this.#extended.delete(effectId);
    const host = await this.#ports.claims.revoke(claimKey(effectId, resumptions), attempt);
    if (host !== undefined) return { outcome: 'claimed', host };
    return { outcome: 'revoked', waitedMs: now - Date.parse(requestedAt) };
  }

  /** The deadline, extended while hosts are busy or missing, up to the maximum time in the queue. */
  #dueOf({ kind, limits, request, requestedAt }: EffectState, now: number): number {
    if (effectKind(kind).stageWork !== 'run') return Number.NEGATIVE_INFINITY;
    const { stageHosts, stageQueueForMs } = this.#ports;
    // A fallback takes over the stages of a runtime without a host.
    if (limits.onNoHost === 'fail' && stageHosts.slotsOf(String(request.runtimeId)) === 0)
      return Number.NEGATIVE_INFINITY;
    const requested = Date.parse(requestedAt);
    const idle = stageHosts.idleMs(String(request.runtimeId), now - requested);
    return Math.min(now - idle + limits.startWithinMs, requested + stageQueueForMs) + MARGIN_MS;
  }
}
