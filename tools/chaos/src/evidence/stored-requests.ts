import { parseHeldSubject, parseInboxSubject, parseJournalSubject, type SessionRecord } from '@reins/contracts';
import type { Observer } from './observer.ts';

/** Ids of the runs that have a journal. */
export async function journalledRuns(observer: Observer): Promise<ReadonlySet<string>> {
  const subjects = [...(await observer.subjects('JOURNAL', 'journal.>')).keys()];
  return new Set(subjects.flatMap((subject) => parseJournalSubject(subject)?.runId ?? []));
}

/**
 * Ids of the requests that NATS has, so that they have to end: they have a journal, a command in the inbox or among the
 * held messages, or a place in their session.
 */
export async function storedRequests(observer: Observer): Promise<ReadonlySet<string>> {
  const submitted = [...(await observer.subjects('INBOX', 'inbox.*.command.run.submit.>')).keys()];
  const held = [...(await observer.subjects('INBOX', 'held.>')).keys()];
  return new Set([
    ...(await journalledRuns(observer)),
    ...submitted.flatMap((subject) => parseInboxSubject(subject)?.runId ?? []),
    ...held.flatMap((subject) => parseHeldSubject(subject)?.runId ?? []),
    ...(await requestsInSessions(observer)),
  ]);
}

async function requestsInSessions(observer: Observer): Promise<ReadonlySet<string>> {
  const records = new Map<string, SessionRecord>();
  for await (const { subject, data } of observer.messages('KV_sessions')) {
    if (data.length > 0) records.set(subject, JSON.parse(new TextDecoder().decode(data)));
    else records.delete(subject);
  }
  const turns = [...records.values()].flatMap(({ running, queued }) => [...(running ? [running] : []), ...queued]);
  return new Set(turns.map(({ requestId }) => requestId));
}
