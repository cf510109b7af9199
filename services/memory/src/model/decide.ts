import {
  defined,
  type MemoryAddCall,
  type MemoryEntry,
  type MemoryRecord,
  type MemoryRecordRated,
  type MemoryRecordsForgotten,
  type MemoryRecordWritten,
  ReinsError,
} from '@reins/contracts';
import { checkKind, type Namespace } from './namespaces.ts';
import { secretIn } from './secrets.ts';
import { isNearDuplicate } from './text.ts';

/** What a decision needs from outside: the id of a new record, and the time. */
export interface Fresh {
  readonly id: string;
  /** RFC 3339. */
  readonly now: string;
}

/** The records that a new text is compared with. */
export interface AddView {
  /** Active records of the namespace with equal or similar texts, most similar first. */
  readonly similar: readonly MemoryEntry[];
  /** The record that the new one supersedes, if the command names one. */
  readonly superseded: MemoryEntry | undefined;
}

/** What to write, and the decision for the caller. */
export type AddDecision =
  | { readonly decision: 'accepted' | 'superseded'; readonly change: MemoryRecordWritten }
  | { readonly decision: 'duplicate'; readonly record: MemoryEntry };

/**
 * Decides whether a text is remembered. A text that an active record of the same kind already has is a duplicate of it.
 * @throws ReinsError `memory_namespace_invalid`, `memory_secret_found`, `memory_record_not_found`, `memory_conflict`,
 * `request_invalid` for a period that ends before it begins
 */
export function decideAdd(namespace: Namespace, call: MemoryAddCall, view: AddView, { id, now }: Fresh): AddDecision {
  const kind = checkKind(namespace, call.kind);
  checkNoSecrets(call);
  checkPeriod(call);
  const duplicate = duplicateOf(namespace, { ...call, kind }, view);
  if (duplicate) return { decision: 'duplicate', record: duplicate };
  const { text, data, source, subject, confidence = 1, validFrom, validUntil, supersedes } = call;
  const { sensitivity = namespace.scope === 'user' ? 'personal' : 'internal' } = call;
  const optional = defined({ data, subject, validFrom, validUntil, supersedes });
  const record: MemoryRecord = {
    id,
    namespace: namespace.name,
    kind,
    text,
    source,
    confidence,
    createdAt: now,
    sensitivity,
    ...optional,
  };
  const decision = supersedes === undefined ? 'accepted' : 'superseded';
  return { decision, change: { type: 'memory.record.written', record } };
}

/** A text that supersedes a record may be like it, but not equal. */
function duplicateOf(namespace: Namespace, call: MemoryAddCall, view: AddView): MemoryEntry | undefined {
  const { kind, text, supersedes } = call;
  if (supersedes === undefined)
    return view.similar.find((record) => record.kind === kind && isNearDuplicate(record.text ?? '', text));
  const superseded = supersededBy(supersedes, view.superseded, namespace);
  return superseded.text === text ? superseded : undefined;
}

/** The call that supersedes a record by one with another text, and keeps everything else. */
export function editOf(record: MemoryEntry, text: string, source: MemoryAddCall['source']): MemoryAddCall {
  const { namespace, kind, data, subject, confidence, validFrom, validUntil, sensitivity } = record;
  const kept = defined({ data, subject, confidence, validFrom, validUntil, sensitivity });
  return { namespace, kind, text, source, ...kept, supersedes: record.id } as MemoryAddCall;
}

/**
 * Decides to forget a record with all earlier versions of it.
 * @param versions the versions of the record, oldest first
 * @returns undefined if all of them are forgotten already
 */
export function decideForget(
  id: string,
  versions: readonly MemoryEntry[],
  why: Pick<MemoryRecordsForgotten, 'source' | 'reason'>,
  now: string,
): MemoryRecordsForgotten | undefined {
  const last = versions.findIndex((record) => record.id === id);
  if (last < 0) throw recordNotFound(id);
  const records = versions.slice(0, last + 1).filter(({ status }) => status !== 'forgotten');
  const [first] = records;
  if (!first) return undefined;
  const stubs = records.map(({ id: each, kind, createdAt }) => ({ id: each, kind, createdAt }));
  const { namespace } = first;
  return { type: 'memory.records.forgotten', namespace, records: stubs, forgottenAt: now, ...why };
}

/**
 * Decides to record a rating. The last rating of each person counts.
 * @throws ReinsError `memory_conflict` when the record is not active
 */
export function decideRate(
  { id, namespace, status }: MemoryEntry,
  { useful, source }: Pick<MemoryRecordRated, 'useful' | 'source'>,
  now: string,
): MemoryRecordRated {
  if (status === 'active')
    return { type: 'memory.record.rated', namespace, recordId: id, useful, ratedAt: now, source };
  throw new ReinsError({ code: 'memory_conflict', message: `the record ${id} was ${status}`, path: 'id' });
}

export const recordNotFound = (id: string): ReinsError =>
  new ReinsError({ code: 'memory_record_not_found', message: `no memory record has the id ${id}`, path: 'id' });

function checkNoSecrets({ text, subject = '', data = '' }: MemoryAddCall): void {
  const fields = { text, subject, data: JSON.stringify(data) };
  for (const [path, value] of Object.entries(fields)) {
    const found = secretIn(value);
    if (found === undefined) continue;
    throw new ReinsError({
      code: 'memory_secret_found',
      message: `${path} seems to contain ${found}`,
      path,
      hint: 'Refer to the secret by its name, and keep its value in a secret store.',
    });
  }
}

function checkPeriod({ validFrom, validUntil }: MemoryAddCall): void {
  if (validFrom === undefined || validUntil === undefined || Date.parse(validFrom) < Date.parse(validUntil)) return;
  throw new ReinsError({
    code: 'request_invalid',
    message: `validUntil (${validUntil}) must be later than validFrom (${validFrom})`,
    path: 'validUntil',
  });
}

function supersededBy(id: string, record: MemoryEntry | undefined, { name }: Namespace): MemoryEntry {
  if (!record || record.namespace !== name) throw recordNotFound(id);
  if (record.status === 'active') return record;
  const newer = record.supersededBy;
  throw new ReinsError({
    code: 'memory_conflict',
    message: `the record ${id} was already ${record.status}${newer === undefined ? '' : ` by ${newer}`}`,
    path: 'supersedes',
    hint: newer === undefined ? 'Add a new record.' : `Edit the record ${newer}.`,
  });
}
