import type { LogEvent } from './log-event.ts';

/** The place of a fact in the causal order of its run: the version of its journal entry, and its number within it. */
export interface FactOrder {
  readonly version: number;
  readonly fact_index: number;
}

const NUMBER_IN_ID = /\.(\d{1,9})$/;

/** The place of a fact; undefined for an event that does not follow from a journal entry. */
export function factOrder({ id, version }: Pick<LogEvent, 'id' | 'version'>): FactOrder | undefined {
  return version === undefined ? undefined : { version, fact_index: Number(NUMBER_IN_ID.exec(id)?.[1] ?? 0) };
}

/** Negative if the first fact comes first, 0 if both have the same place. */
export function compareOrder(a: FactOrder, b: FactOrder): number {
  return a.version - b.version || a.fact_index - b.fact_index;
}
