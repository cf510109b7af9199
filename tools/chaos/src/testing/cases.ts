import type { EntryData, EntryType, JsonObject } from '@reins/contracts';
import { EMPTY_HEAD, type EntryDraft, sealEntries } from '@reins/journal';
import { derivedFacts } from '../checks/facts.ts';
import type { Case } from '../checks/violation.ts';
import type { Evidence, LoggedEvent, RunJournal } from '../evidence/evidence.ts';
import type { AcceptedRequest } from '../load/load.ts';

const SHA = 'ab'.repeat(32);
const BLOB = { sha256: SHA, size: 3 };
const LIMITS = { startWithinMs: 60_000, runForMs: 600_000, maxAttempts: 2, onUnknown: 'retry' } as const;
const AT = '2026-01-31T12:00:00.000Z';

const draft = <T extends EntryType>(type: T, data: EntryData[T]): EntryDraft => ({ type, data }) as EntryDraft;

/** The journal of a completed run with one stage. */
export function journalOf(runId: string, sessionId: string = runId): RunJournal {
  const request = { stage: 'execute', runtimeId: 'echo', hostRequestRef: BLOB, tree: SHA, runtimeSource: 'default' };
  const effectId = `${runId}-stage`;
  const drafts = [
    draft('RUN_CREATED', {
      workspaceId: 'ws',
      sessionId,
      agentId: 'main',
      revision: SHA,
      process: { id: 'pipeline', codeHash: 'built-in' },
      inputs: { input: 'hello' },
      session: {},
      idempotencyKey: `submit-${runId}`,
    }),
    draft('EFFECT_REQUESTED', {
      effectId,
      kind: 'stage',
      attempt: 1,
      key: 'k',
      argsHash: SHA,
      request,
      limits: LIMITS,
    }),
    draft('EFFECT_STARTED', { effectId, attempt: 1, hostId: 'h' }),
    draft('EFFECT_RESOLVED', { effectId, attempt: 1, status: 'ok', value: { output: 'done', tree: SHA } }),
    draft('RUN_COMPLETED', { output: 'done' }),
  ];
  const entries = sealEntries(EMPTY_HEAD, drafts, AT);
  const storedAt = entries.map((_, index) => index);
  return { run: { workspaceId: 'ws', runId }, entries, storedAt, inlined: new Map(), epochs: entries.map(() => 7) };
}

/** The facts of these journals, one run after the other. */
export function eventsOf(journals: readonly RunJournal[]): LoggedEvent[] {
  const facts = journals.flatMap((journal) =>
    (derivedFacts(journal) ?? []).map(({ id, body, version }) => ({ id, body, version, runId: journal.run.runId })),
  );
  return facts.map(({ id, body, version, runId }, index) => ({
    seq: index + 1,
    subject: `${body.type}.ws.${runId}`,
    storedAt: index,
    id,
    type: body.type,
    requestId: runId,
    version,
    body: JSON.parse(JSON.stringify(body)) as JsonObject,
  }));
}

/** A case without violations: two requests of one session. */
export function goodCase(): Case {
  const runs = ['one', 'two'];
  const journals = runs.map((runId) => journalOf(runId, 'shared'));
  const accepted = runs.map(
    (requestId): AcceptedRequest => ({
      requestId,
      workspaceId: 'ws',
      sessionId: 'shared',
      planned: { kind: 'plain', workspace: 'plain', input: 'hello', endings: ['completed'], session: 1 },
      answeredWith: [requestId],
    }),
  );
  const evidence: Evidence = {
    events: eventsOf(journals),
    journals: new Map(journals.map((journal) => [journal.run.runId, journal])),
    durables: [{ stream: 'INBOX', durable: 'p0-e7', pending: 0, unacknowledged: 0 }],
    inbox: [],
    dead: [],
    seen: runs.map((requestId) => ({ requestId, httpStatus: 200, status: 'completed' })),
    projection: {
      ok: true,
      fromSeq: 1,
      toSeq: 1,
      requests: 2,
      skippedRequests: 0,
      differenceCount: 0,
      differences: [],
    },
  };
  return { accepted, refused: [], evidence };
}

export function withEvidence(given: Case, change: Partial<Evidence>): Case {
  return { ...given, evidence: { ...given.evidence, ...change } };
}

/** Replaces the events, and renumbers them. */
export function withEvents(given: Case, change: (events: LoggedEvent[]) => readonly LoggedEvent[]): Case {
  const events = change([...given.evidence.events]).map((event, index) => ({ ...event, seq: index + 1 }));
  return withEvidence(given, { events });
}

export function withJournal(given: Case, runId: string, change: (journal: RunJournal) => RunJournal): Case {
  const journals = new Map(given.evidence.journals);
  const journal = journals.get(runId);
  if (journal) journals.set(runId, change(journal));
  return withEvidence(given, { journals });
}
