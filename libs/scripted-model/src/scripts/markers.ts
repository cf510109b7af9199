import type { Turn } from '../model.ts';

export const STAGES = ['interview', 'execute', 'evaluate', 'reflect'] as const;
export type Stage = (typeof STAGES)[number];

/** What a harness tells of the run in two lines of the text that it sends. */
export interface Markers {
  readonly stage?: Stage;
  /** From 1. A request that does not tell it is in its first iteration. */
  readonly iteration: number;
}

/** Writes the marker lines: the other side of `readMarkers`, for whoever builds the prompt. */
export function markerLines(stage: Stage, iteration: number): string {
  return `Reins stage: ${stage}\nReins iteration: ${iteration}`;
}

const STAGE_LINE = /^[ \t]*Reins stage:[ \t]*(interview|execute|evaluate|reflect)[ \t]*\r?$/gm;
const ITERATION_LINE = /^[ \t]*Reins iteration:[ \t]*([1-9]\d{0,5})[ \t]*\r?$/gm;

/**
 * Finds the markers wherever they stand. A system prompt speaks of the request at hand, so it wins; the user messages of
 * a resumed session may still hold the markers of earlier stages, so among them the last one wins. Answers and tool
 * results are not looked at: a file may well contain such lines.
 */
export function readMarkers(turns: readonly Turn[]): Markers {
  const stage = lastMatch(turns, STAGE_LINE);
  const iteration = lastMatch(turns, ITERATION_LINE);
  const found = STAGES.find((name) => name === stage);
  return {
    ...(found === undefined ? {} : { stage: found }),
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
