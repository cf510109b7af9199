import type { MemoryEntry, MemoryRecalled, MemorySignals } from '@reins/contracts';
import { entitiesIn } from './entities.ts';

/** A query with what the namespaces know about its terms. */
export interface RankedQuery {
  readonly text: string;
  /** Its terms with their weights: rare terms weigh more. */
  readonly weights: ReadonlyMap<string, number>;
}

/** A record with its terms. */
export interface Candidate {
  readonly record: MemoryEntry;
  readonly terms: readonly string[];
  /** Its place in the stream: the order of records that are otherwise equal. */
  readonly seq: number;
}

/** What each signal contributes to a score; together 1. Diversity then reduces the score of repetitions. */
const WEIGHTS = { text: 0.5, entities: 0.2, recency: 0.1, importance: 0.1, usage: 0.1 } as const;
const NAMES = Object.keys(WEIGHTS) as readonly (keyof typeof WEIGHTS)[];
/** How much of its score a record loses that repeats a better one. */
const REPETITION = 0.5;
const HALF_LIFE_MS = 30 * 24 * 3_600_000;
/** Facts about people and how they work matter longer than what happened once. */
const IMPORTANCE: Readonly<Record<string, number>> = {
  profile: 1,
  preference: 0.9,
  procedure: 0.8,
  fact: 0.6,
  episode: 0.4,
  session: 0.3,
};

/**
 * Orders records by how much they matter for a query, best first. The result depends only on the arguments, and not on
 * the order of the candidates. Records that do not hold at the time, or share nothing with the query, are left out; an
 * empty query shares something with every record.
 * @param now RFC 3339
 */
export function rank(
  query: RankedQuery,
  candidates: readonly Candidate[],
  now: string,
  limit: number,
): MemoryRecalled[] {
  const entities = entitiesIn(query.text);
  const time = Date.parse(now);
  const isEmpty = query.weights.size === 0 && entities.size === 0;
  const scored = candidates
    .filter(({ record }) => holds(record, time))
    .map((candidate) => scoredOf(candidate, query.weights, entities, time))
    .filter(({ signals }) => isEmpty || signals.text > 0 || signals.entities > 0)
    .sort((a, b) => b.score - a.score || byPlace(a, b));
  return diverse(scored, limit);
}

interface Scored extends Candidate {
  readonly signals: Omit<MemorySignals, 'diversity'>;
  readonly score: number;
}

const holds = ({ validFrom, validUntil }: MemoryEntry, time: number): boolean =>
  (validFrom === undefined || Date.parse(validFrom) <= time) &&
  (validUntil === undefined || Date.parse(validUntil) > time);

function scoredOf(
  candidate: Candidate,
  weights: RankedQuery['weights'],
  entities: ReadonlySet<string>,
  time: number,
): Scored {
  const { record, terms } = candidate;
  const own = new Set(terms);
  const all = sum(weights.values());
  const matched = sum([...weights].map(([term, weight]) => (own.has(term) ? weight : 0)));
  const named = entitiesIn(`${record.text ?? ''} ${record.subject ?? ''}`);
  const age = Math.max(0, time - Date.parse(record.createdAt));
  const signals = {
    text: all === 0 ? 0 : matched / all,
    entities: entities.size === 0 ? 0 : entities.intersection(named).size / entities.size,
    recency: 2 ** (-age / HALF_LIFE_MS),
    importance: (IMPORTANCE[record.kind] ?? 0) * (record.confidence ?? 1),
    usage: usageOf(record),
  };
  const score = sum(NAMES.map((name) => WEIGHTS[name] * signals[name]));
  return { ...candidate, signals, score };
}

/** One rating weighs less than many: everything starts with one of each. */
function usageOf({ ratings }: MemoryEntry): number {
  const { useful = 0, useless = 0 } = ratings ?? {};
  return (useful + 1) / (useful + useless + 2);
}

/** Takes the best record again and again. What repeats a record that was taken loses a part of its score. */
function diverse(scored: readonly Scored[], limit: number): MemoryRecalled[] {
  const left = scored.map((candidate) => ({ candidate, diversity: 1 }));
  const taken: MemoryRecalled[] = [];
  const current = ({ candidate, diversity }: (typeof left)[number]): number =>
    candidate.score * (1 - REPETITION * (1 - diversity));
  while (taken.length < limit && left.length > 0) {
    let best = 0;
    for (let at = 1; at < left.length; at += 1) if (isBetter(left[at], left[best], current)) best = at;
    const [next] = left.splice(best, 1);
    if (!next) break;
    const { candidate, diversity } = next;
    taken.push({ record: candidate.record, score: current(next), signals: { ...candidate.signals, diversity } });
    for (const other of left)
      other.diversity = Math.min(other.diversity, 1 - overlap(candidate.terms, other.candidate.terms));
  }
  return taken;
}

/** Both are in the list. The list is in the order of the scores without diversity, so an equal one is not better. */
const isBetter = <T>(a: T | undefined, b: T | undefined, score: (one: T) => number): boolean =>
  a !== undefined && b !== undefined && score(a) > score(b);

/** The share of terms that two records have in common, from 0 to 1. */
function overlap(a: readonly string[], b: readonly string[]): number {
  const [left, right] = [new Set(a), new Set(b)];
  const common = left.intersection(right).size;
  const all = left.size + right.size - common;
  return all === 0 ? 0 : common / all;
}

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

/** The newer one first. */
const byPlace = (a: Candidate, b: Candidate): number =>
  b.seq - a.seq || (a.record.id < b.record.id ? -1 : Number(a.record.id > b.record.id));
