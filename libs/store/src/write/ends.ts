import type { LogItem } from '../projection/log-event.ts';
import type { StageRunRow } from '../tables/stage-runs.ts';

export type Outcome = 'completed' | 'failed' | 'cancelled';

/** A stage run that ended. */
export interface EndedStage {
  readonly stage: string;
  readonly runtimeId: string;
  readonly outcome: Outcome;
  /** Seconds since its start; undefined if it never started. */
  readonly seconds: number | undefined;
}

/** What ended with the events of a batch. */
export interface Ends {
  /** One for each run, child runs included. */
  readonly runs: readonly Outcome[];
  readonly stages: readonly EndedStage[];
}

const END = /^runtime\.(request|stage)\.(completed|failed|cancelled)$/;

/**
 * Finds the runs and stage runs that ended.
 * @param items new items of the event log
 * @param stageRuns the rows of their stage runs after these items
 */
export function endsIn(items: readonly LogItem[], stageRuns: readonly StageRunRow[]): Ends {
  const runs: Outcome[] = [];
  const stages: EndedStage[] = [];
  const rows = new Map(stageRuns.map((row) => [keyOf(row.request_id, row.effect_id, row.attempt), row]));
  for (const item of items) {
    if (!('event' in item)) continue;
    const { body } = item.event;
    const [, what, end] = END.exec(body.type) ?? [];
    const outcome = end as Outcome;
    if (what === 'request') runs.push(outcome);
    else if (what === 'stage' && 'stage' in body && 'attempt' in body && 'runtimeId' in body) {
      const row = rows.get(keyOf(body.requestId, body.effectId, body.attempt));
      stages.push({ stage: body.stage, runtimeId: body.runtimeId, outcome, seconds: row && secondsOf(row) });
    }
  }
  return { runs, stages };
}

const keyOf = (requestId: string, effectId: string, attempt: number): string => `${requestId} ${effectId} ${attempt}`;

function secondsOf({ started_at, ended_at }: StageRunRow): number | undefined {
  if (started_at === null || ended_at === null) return undefined;
  return Math.max(0, (Date.parse(ended_at) - Date.parse(started_at)) / 1000);
}
