import type { EndedStage, JsonObject, StageHandoff } from '@reins/contracts';
import type { ContinuedSession } from './stage-sessions.ts';

/** The stages of one run that have ended and left something, the last execution of each. */
export class EndedStages {
  #ended: readonly EndedStage[] = [];

  /** A stage has ended. */
  add({ stage, runtimeId }: Pick<EndedStage, 'stage' | 'runtimeId'>, handoff: StageHandoff | undefined): void {
    const others = this.#ended.filter((each) => each.stage !== stage);
    this.#ended = [...others, { stage, runtimeId, handoff: handoff ?? {} }];
  }

  /**
   * What the conversation of a stage does not know, as the field of its preparation. A stage that continues its own
   * conversation knows what was done before its last execution in this run, and that execution itself.
   */
  unknownTo(stage: EndedStage['stage'], continued: ContinuedSession | undefined): JsonObject {
    const own = continued ? this.#ended.findIndex((each) => each.stage === stage) : -1;
    const endedStages = this.#ended.slice(own + 1).filter(({ handoff }) => Object.keys(handoff).length > 0);
    return endedStages.length > 0 ? { endedStages: endedStages as unknown as JsonObject[] } : {};
  }
}
