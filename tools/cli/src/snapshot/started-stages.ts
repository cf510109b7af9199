import type { AnyEvent, BlobRef, EventOf } from '@reins/contracts';

/** What an executor got when it started. */
export interface StartedStage {
  /** The ids of the tools that the model was offered. */
  readonly tools: readonly string[];
  /** The servers that did not start, with the reasons. */
  readonly unavailable: readonly { readonly serverId: string; readonly reason: string }[];
}

type Handoff = Extract<AnyEvent, { type: 'runtime.adapter.event' }>;

/** The last attempt of each stage of a request that an executor started, from its events in order. */
export class StartedStages {
  /** The effect that runs a prepared stage, by the hash of its request. */
  readonly #effects = new Map<string, string>();
  readonly #handoffs = new Map<string, Handoff>();
  readonly #started = new Map<string, EventOf<'runtime.stage.started'>>();

  add(body: AnyEvent): void {
    if (body.type === 'runtime.stage.requested' && body.hostRequestRef)
      this.#effects.set(body.hostRequestRef.sha256, body.effectId);
    if (body.type === 'runtime.stage.started') this.#started.set(body.effectId, body);
    if (body.type === 'runtime.adapter.event' && body.effectId !== undefined && body.event.phase === 'agent.handoff')
      this.#handoffs.set(body.effectId, body);
  }

  /** What the stage with this prepared request got; undefined before its executor started. */
  of({ sha256 }: BlobRef): StartedStage | undefined {
    const effectId = this.#effects.get(sha256) ?? '';
    const handoff = this.#handoffs.get(effectId);
    if (!handoff) return undefined;
    const { degradedServers = [] } = this.#started.get(effectId) ?? {};
    return { tools: handoff.event.tools ?? [], unavailable: degradedServers };
  }
}
