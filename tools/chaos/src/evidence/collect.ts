import type { JsMsg } from '@nats-io/jetstream';
import { Blobs, type Bus, inline } from '@reins/bus';
import {
  type BlobRef,
  HEADERS,
  isObject,
  type JsonObject,
  type JsonValue,
  parseEventSubject,
  parseJournalSubject,
  parseJson,
  type RunAddress,
} from '@reins/contracts';
import { messageOf } from '@reins/embedded';
import { decodeCommit, type Entry } from '@reins/journal';
import { verifyProjections } from '@reins/projector';
import type { Database } from '@reins/store';
import type { AcceptedRequest } from '../load/load.ts';
import { retryUntilAnswered } from '../load/retry-until-answered.ts';
import { type Gateway, textField } from '../system/gateway.ts';
import type { DeadMessage, Evidence, LoggedEvent, LoggedRequest, RunJournal } from './evidence.ts';
import type { Observer } from './observer.ts';

export interface EvidenceSources {
  readonly observer: Observer;
  /** For blobs, and for the comparison of the projector. */
  readonly bus: Bus;
  readonly db: Database;
  readonly gateway: Gateway;
}

/** Reads everything that the checks need. */
export async function collectEvidence(
  { observer, bus, db, gateway }: EvidenceSources,
  accepted: readonly AcceptedRequest[],
): Promise<Evidence> {
  const blobs = await Blobs.open(bus);
  const durables = [...(await observer.durables('EVENTS')), ...(await observer.durables('INBOX'))];
  return {
    events: await readEvents(observer, blobs),
    journals: await readJournals(observer, blobs),
    durables,
    inbox: [...(await observer.subjects('INBOX', '>')).keys()],
    dead: await readDead(observer),
    seen: await seenByHttp(gateway, accepted),
    projection: await verifyProjections(bus, db),
  };
}

async function readEvents(observer: Observer, blobs: Blobs): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for await (const message of observer.messages('EVENTS')) {
    const version = message.headers?.get(HEADERS.version);
    const body = await bodyOf(message, blobs);
    events.push({
      seq: message.seq,
      subject: message.subject,
      storedAt: message.time.getTime(),
      id: message.headers?.get(HEADERS.id) ?? '',
      type: typeOf(message.headers?.get(HEADERS.type) ?? '', body),
      requestId: parseEventSubject(message.subject)?.requestId ?? '',
      version: version ? Number(version) : undefined,
      body,
    });
  }
  return events;
}

/** Every signal has the same type in its header. */
function typeOf(type: string, body: JsonObject | undefined): string {
  const signal = body?.event;
  return type === 'runtime.adapter.event' && isObject(signal) && typeof signal.phase === 'string' ? signal.phase : type;
}

async function bodyOf(message: JsMsg, blobs: Blobs): Promise<JsonObject | undefined> {
  try {
    const body: unknown = JSON.parse(new TextDecoder().decode(await inline(blobs, message.data)));
    return isObject(body) ? (body as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

async function readJournals(observer: Observer, blobs: Blobs): Promise<Map<string, RunJournal>> {
  const journals = new Map<string, RunJournal>();
  for await (const { subject, data, seq, time } of observer.messages('JOURNAL')) {
    const run = parseJournalSubject(subject);
    if (!run) continue;
    const { workspaceId, runId } = run;
    const before = journals.get(runId) ?? emptyJournal({ workspaceId, runId });
    try {
      const commit = decodeCommit(await inline(blobs, data), `commit at sequence ${seq}`);
      const epochs = [...before.epochs, commit.epoch];
      const inlined = new Map([...before.inlined, ...(await inlinedEntries(commit.entries, blobs))]);
      const storedAt = [...before.storedAt, ...commit.entries.map(() => time.getTime())];
      journals.set(runId, { ...before, entries: [...before.entries, ...commit.entries], storedAt, inlined, epochs });
    } catch (error) {
      journals.set(runId, { ...before, unreadable: messageOf(error) });
    }
  }
  return journals;
}

const emptyJournal = (run: RunAddress): RunJournal => ({
  run,
  entries: [],
  storedAt: [],
  inlined: new Map(),
  epochs: [],
});

/** By hash: the entries that reference blobs, with the blobs inlined. Facts contain the inlined values. */
async function inlinedEntries(entries: readonly Entry[], blobs: Blobs): Promise<[string, Entry][]> {
  const read = await Promise.all(entries.map((entry) => inlinedEntry(entry, blobs)));
  return read.flatMap((inlined, index) =>
    inlined === entries[index] ? [] : [[inlined.hash, inlined] as [string, Entry]],
  );
}

async function inlinedEntry(entry: Entry, blobs: Blobs): Promise<Entry> {
  const read = async ({ sha256 }: BlobRef): Promise<JsonValue> => parseJson(await blobs.get(sha256)) as JsonValue;
  if (entry.type === 'EFFECT_REQUESTED' && entry.data.requestRef)
    return { ...entry, data: { ...entry.data, request: (await read(entry.data.requestRef)) as JsonObject } };
  if (entry.type === 'EFFECT_RESOLVED' && entry.data.valueRef)
    return { ...entry, data: { ...entry.data, value: await read(entry.data.valueRef) } };
  return entry;
}

async function readDead(observer: Observer): Promise<DeadMessage[]> {
  const dead: DeadMessage[] = [];
  for await (const { subject, headers } of observer.messages('DEAD')) {
    const lines = headers?.keys().map((name) => `${name}: ${headers.get(name)}`) ?? [];
    const code = codeIn(headers?.get('reins-dead-problem') ?? '');
    dead.push({ subject, code, problem: lines.join(', ') });
  }
  return dead;
}

function codeIn(problem: string): string {
  const parsed = parseJson(new TextEncoder().encode(problem));
  return isObject(parsed) && typeof parsed.code === 'string' ? parsed.code : '';
}

async function seenByHttp(gateway: Gateway, accepted: readonly AcceptedRequest[]): Promise<LoggedRequest[]> {
  const seen: LoggedRequest[] = [];
  for (const { requestId } of accepted) {
    const { response } = await retryUntilAnswered(() => gateway.get(`/requests/${requestId}`));
    seen.push({ requestId, httpStatus: response.status, status: textField(response, 'status') });
  }
  return seen;
}
