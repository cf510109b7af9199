import { isStage, STAGES, type Stage } from '@reins/contracts';
import type { Turn } from '../model.ts';

/** What a harness tells of the run in two lines of the text that it sends. */
export interface Markers {
  readonly stage?: Stage;
  /** From 1. A request that does not tell it is in its first iteration. */
  readonly iteration: number;
}

const STAGE_LINE = new RegExp(`^[ \\t]*Reins stage:[ \\t]*(${STAGES.join('|')})[ \\t]*\\r?$`, 'gm');
const ITERATION_LINE = /^[ \t]*Reins iteration:[ \t]*([1-9]\d{0,5})[ \t]*\r?$/gm;

/**
 * Finds the markers wherever they stand. A system prompt speaks of the request at hand, so it wins; the user messages of
 * a resumed session may still hold the markers of earlier stages, so among them the last one wins. Answers and tool
 * results are not looked at: a file may well contain such lines.
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
