import { isStage, STAGES, type Stage } from '@reins/contracts';
import type { Turn } from '../model.ts';

/** The stage and iteration, from two lines in the text of a request. */
export interface Markers {
  readonly stage?: Stage;
  /** Starts at 1, which is also the default. */
  readonly iteration: number;
}

const STAGE_LINE = new RegExp(`^[ \\t]*Reins stage:[ \\t]*(${STAGES.join('|')})[ \\t]*\\r?$`, 'gm');
const ITERATION_LINE = /^[ \t]*Reins iteration:[ \t]*([1-9]\d{0,5})[ \t]*\r?$/gm;

/**
 * Finds the markers of the current stage. The system prompt has priority, because it belongs to the current request.
 * User messages of a resumed session may contain markers of earlier stages, so the last one counts. Answers and tool
 * results are ignored: a file may contain such lines.
 */
export function readMarkers(turns: readonly Turn[]): Markers {
  const stage = lastMatch(turns, STAGE_LINE);
  const iteration = lastMatch(turns, ITERATION_LINE);
  return {
    ...(isStage(stage) ? { stage } : {}),
    iteration: iteration === undefined ? 1 : Number(iteration),
  };
}

function lastMatch(turns: readonly Turn[], line: RegExp): string | undefined {
  for (const kind of ['system', 'user'] as const) {
    const texts = turns.filter((turn) => turn.kind === kind).flatMap((turn) => turn.texts);
    const found = texts.flatMap((text) => [...text.matchAll(line)]).at(-1);
    if (found) return found[1];
  }
  return undefined;
}
