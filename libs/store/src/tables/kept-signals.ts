import { type AnyEvent, isObject, type JsonObject, type JsonValue } from '@reins/contracts';

/** Signals of one name that nothing waited for when they arrived, as `requests.kept_signals` stores them. */
export type KeptSignal = JsonObject & {
  readonly name: string;
  readonly count: number;
  /** When the first of them arrived. */
  readonly since: string;
};

/** The most names that a row has. */
const MAX_NAMES = 20;

/** The signals in a row of `requests`. */
export function keptSignalsIn(value: JsonValue): readonly KeptSignal[] {
  return Array.isArray(value) ? (value.filter(isObject) as KeptSignal[]) : [];
}

/**
 * The kept signals of a run after an event; the same list if the event changes nothing. A process waits for a signal only
 * after it has taken all kept ones of that name. Pure.
 */
export function keptSignalsAfter(kept: readonly KeptSignal[], body: AnyEvent, time: string): readonly KeptSignal[] {
  if (body.type === 'runtime.signal.kept') return withSignal(kept, body.signal, time);
  if (body.type !== 'runtime.request.waiting' || body.reason !== 'signal') return kept;
  const left = kept.filter(({ name }) => name !== body.signal);
  return left.length === kept.length ? kept : left;
}

function withSignal(kept: readonly KeptSignal[], name: string, time: string): readonly KeptSignal[] {
  const known = kept.findIndex((one) => one.name === name);
  const before = kept[known];
  if (before) return kept.with(known, { ...before, count: before.count + 1 });
  return kept.length >= MAX_NAMES ? kept : [...kept, { name, count: 1, since: time }];
}
