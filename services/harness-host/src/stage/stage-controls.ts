import type { ControlMessage } from '@reins/bus';
import type { RuntimeStageRequested } from '@reins/contracts';
import type { StagePorts } from './stage-ports.ts';

/** Why a stage run is stopped. `lost`: another host may work on the stage, so no answer is sent. */
export type StopReason = 'cancel' | 'shutdown' | 'lost';

/**
 * Whether a control message is for this attempt. A cancellation also stops earlier attempts. Messages of earlier
 * versions name no attempt.
 */
export function isForAttempt({ attempt, kind }: ControlMessage, own: number): boolean {
  if (attempt === undefined) return true;
  return kind === 'cancel' ? attempt >= own : attempt === own;
}

/** The control messages of a running stage, from the control bus or its host. */
export class StageControls {
  readonly #stop = Promise.withResolvers<StopReason>();
  readonly #lost = Promise.withResolvers<void>();
  #reason: StopReason | undefined;

  /** Why the stage was stopped; undefined while it runs. */
  get stopped(): StopReason | undefined {
    return this.#reason;
  }

  /** Resolves with the first reason when the stage is stopped. */
  get stop(): Promise<StopReason> {
    return this.#stop.promise;
  }

  /** Resolves when the stage is lost, also after another reason to stop. */
  get lost(): Promise<void> {
    return this.#lost.promise;
  }

  /**
   * Stops the stage when a message says so, when its host shuts down, and when one of the signals says that another host
   * may work on it. Returns a function that ends this.
   */
  async follow(
    { controls, shutdown, log }: Pick<StagePorts, 'controls' | 'shutdown' | 'log'>,
    { attempt, effectId }: RuntimeStageRequested,
    lostSignals: readonly AbortSignal[],
  ): Promise<() => void> {
    const onLost = () => this.stopFor('lost');
    const onShutdown = () => this.stopFor('shutdown');
    const unwatch = await controls.watch(effectId, (control) => {
      if (isForAttempt(control, attempt) && !this.receive(control))
        log.info({ effectId, kind: control.kind }, 'unsupported control message ignored');
    });
    for (const signal of lostSignals) signal.addEventListener('abort', onLost);
    shutdown.addEventListener('abort', onShutdown);
    if (shutdown.aborted) onShutdown();
    if (lostSignals.some((signal) => signal.aborted)) onLost();
    return () => {
      unwatch();
      for (const signal of lostSignals) signal.removeEventListener('abort', onLost);
      shutdown.removeEventListener('abort', onShutdown);
    };
  }

  /** Stops the stage. The first reason counts, but `lost` overrides any other. */
  stopFor(reason: StopReason): void {
    if (this.#reason === undefined || reason === 'lost') this.#reason = reason;
    this.#stop.resolve(reason);
    if (reason === 'lost') this.#lost.resolve();
  }

  /** Handles a message from the control bus. Returns false when its kind is not supported. */
  receive({ kind }: ControlMessage): boolean {
    if (kind !== 'cancel') return false;
    this.stopFor('cancel');
    return true;
  }
}
