import { describe, expect, test } from '@jest/globals';
import type { LoggedEvent } from '../evidence/evidence.ts';
import type { AcceptedRequest } from '../load/load.ts';
import { withoutLost, withUncertain } from '../load/lost-requests.ts';
import { goodCase, withEvents, withEvidence, withJournal } from '../testing/cases.ts';
import { checkAll } from './check-all.ts';
import type { Case } from './violation.ts';

const good = goodCase();
const found = (given: Case): string[] => checkAll(given).map(({ check, message }) => `${check}: ${message}`);
const isOf = (type: string) => (event: LoggedEvent) => event.type === type && event.requestId === 'one';
const [started, completed] = [isOf('runtime.request.started'), isOf('runtime.stage.completed')];
const ended = isOf('runtime.request.completed');

test('finds nothing in a good case', () => {
  expect(good.evidence.events.map(({ type }) => type)).toContain('runtime.stage.completed');
  expect(found(good)).toEqual([]);
});

test('permits a repeated fact after the deduplication window', () => {
  const late = withEvents(good, (events) => [
    ...events,
    ...events.slice(-1).map((event) => ({ ...event, type: 'control.directive.emitted', storedAt: 200_000 })),
  ]);
  expect(found(late)).toEqual([]);
});

test('permits an attempt that acted, waited for an answer and was not continued', () => {
  const types = ['runtime.stage.claimed', 'agent.handoff', 'runtime.stage.waiting', 'runtime.stage.failed'];
  const resumed = withEvents(good, (events) => [
    ...types.flatMap((type) =>
      events.slice(0, 1).map((event) => ({
        ...event,
        id: type,
        type,
        body: { effectId: 'other-stage', attempt: 1, error: { code: 'effect_not_started', message: '' } },
      })),
    ),
    ...events,
  ]);
  expect(found(resumed).filter((finding) => finding.includes('counts as not started'))).toEqual([]);
});

describe('finds', () => {
  const wrong: Record<string, [given: Case, finding: RegExp]> = {
    'a rejected submission': [{ ...good, refused: ['plain: 400'] }, /^submissions: plain: 400/],
    'an idempotency key with two requests': [
      { ...good, accepted: good.accepted.map((request) => ({ ...request, answeredWith: ['one', 'other'] })) },
      /^submissions: one idempotency key/,
    ],
    'a request that did not end': [
      withEvents(good, (events) => events.filter((event) => !ended(event))),
      /^endings: plain: 0 terminal facts/,
    ],
    'an attempt that counts as late before its limit': [
      withJournal(good, 'one', (journal) => ({
        ...journal,
        entries: journal.entries.map((entry) =>
          entry.type === 'EFFECT_RESOLVED'
            ? { ...entry, data: { ...entry.data, error: { code: 'effect_timed_out', message: 'late' } } }
            : entry,
        ),
      })),
      /^deadlines: effect_timed_out of one-stage \(4\) after 1 of 600000 ms/,
    ],
    'a request that ended twice': [
      withEvents(good, (events) => [
        ...events,
        ...events.filter(ended).map((event) => ({ ...event, type: 'runtime.request.failed', id: 'x.0' })),
      ]),
      /^endings: plain: 2 terminal facts/,
    ],
    'a wrong end': [
      {
        ...good,
        accepted: good.accepted.map((each) => ({ ...each, planned: { ...each.planned, endings: ['failed'] } })),
      },
      /^endings: plain: it ended completed, not failed/,
    ],
    'the end of a request that was not accepted': [
      { ...good, accepted: good.accepted.slice(1) },
      /^endings: it ended, but no client/,
    ],
    'a damaged request that an operator resumed': [{ ...good, damaged: new Set(['one']) }, /^damage: it was damaged/],
    'a different status over HTTP': [
      withEvidence(good, { seen: [{ requestId: 'one', httpStatus: 200, status: 'running' }] }),
      /^views: HTTP returns 200 running/,
    ],
    'two concurrent runs of one session': [
      withEvents(good, (events) => [...events.filter((event) => !ended(event)), ...events.filter(ended)]),
      /^sessions: it ran concurrently with one/,
    ],
    'a missing entry': [
      withJournal(good, 'one', (journal) => ({ ...journal, entries: journal.entries.toSpliced(2, 1) })),
      /^journals: entry 4/,
    ],
    'a changed entry': [
      withJournal(good, 'one', (journal) => ({
        ...journal,
        entries: journal.entries.map((entry) => ({ ...entry, recordedAt: '2027-01-01T00:00:00.000Z' })),
      })),
      /^journals: .*hash/,
    ],
    'a journal without an end': [
      withJournal(good, 'one', (journal) => ({ ...journal, entries: journal.entries.slice(0, -1) })),
      /^journals: its journal has no end/,
    ],
    'a decreasing epoch': [
      withJournal(good, 'one', (journal) => ({ ...journal, epochs: [7, 9, 8] })),
      /^journals: a commit was appended under an earlier/,
    ],
    'an effect that was closed twice': [
      withJournal(good, 'one', (journal) => ({ ...journal, entries: [...journal.entries, ...journal.entries] })),
      /^effects: effect one-stage was closed 2 times/,
    ],
    'a fact that was not published': [
      withEvents(good, (events) => events.filter((event) => !started(event))),
      /^facts: fact 1 of \d+: control|^facts: fact 1 of \d+: .*runtime\.request\.started/,
    ],
    'facts in another order': [
      withEvents(good, ([first, second, ...rest]) => [second, first, ...rest].flatMap((event) => event ?? [])),
      /^facts: fact 1 of/,
    ],
    'a fact with another body': [
      withEvents(good, (events) =>
        events.map((event) => (completed(event) ? { ...event, body: { ...event.body, output: 'other' } } : event)),
      ),
      /^facts: .*runtime\.stage\.completed/,
    ],
    'a fact without an entry': [
      withEvents(good, (events) => [...events, ...events.slice(-1).map((event) => ({ ...event, id: 'x.1' }))]),
      /^facts: .*does not follow from the journal/,
    ],
    'a fact from another publisher': [
      withEvents(good, (events) => [
        ...events,
        ...events.slice(-1).map((event) => ({ ...event, id: 'x.1', version: undefined })),
      ]),
      /^facts: .* has no journal version/,
    ],
    'a fact that was published twice': [
      withEvents(good, (events) => [...events, ...events.filter(completed)]),
      /^facts: runtime\.stage\.completed at \d+ is repeated at \d+, \d+ ms later/,
    ],
    'a stage that is requested again': [
      withEvents(good, (events) => [
        ...events,
        ...events.filter(isOf('runtime.stage.requested')).map((event) => ({ ...event, id: 'x.2' })),
      ]),
      /^stages: runtime\.stage\.requested at \d+, after its stage was completed/,
    ],
    'a signal after the completion': [
      withEvents(good, (events) => [
        ...events,
        ...events
          .filter(completed)
          .map((event) => ({ ...event, id: 's1', type: 'agent.tool.start', version: undefined })),
      ]),
      /^stages: agent\.tool\.start at \d+, after its stage was completed/,
    ],
    'an attempt that counts as not started although a host had claimed it': [
      withEvents(good, (events) => [
        ...events.slice(0, 1).flatMap((event) =>
          ['runtime.stage.claimed', 'runtime.stage.failed'].map((type) => ({
            ...event,
            id: type,
            type,
            body: { effectId: 'one-stage', attempt: 1, error: { code: 'effect_not_started', message: '' } },
          })),
        ),
        ...events,
      ]),
      /^stages: attempt 1 counts as not started at \d+, but runtime\.stage\.claimed at \d+/,
    ],
    'an attempt that was executed twice': [
      withEvents(good, (events) => [
        ...events,
        ...['a', 'b'].flatMap((id) =>
          events.slice(0, 1).map((event) => ({
            ...event,
            id,
            type: 'agent.handoff',
            version: undefined,
            body: { effectId: 'one-stage', attempt: 1 },
          })),
        ),
      ]),
      /^stages: attempt 1 was taken over/,
    ],
    'a message in the inbox': [
      withEvidence(good, { inbox: ['inbox.0.command.run.submit.ws.one'] }),
      /^leftovers: still in/,
    ],
    'a missing acknowledgement': [
      withEvidence(good, { durables: [{ stream: 'INBOX', durable: 'p0-e7', pending: 0, unacknowledged: 1 }] }),
      /^leftovers: p0-e7 on INBOX: 0 not delivered, 1 not acknowledged/,
    ],
    'a dead letter': [
      withEvidence(good, { dead: [{ subject: 'dead.INBOX.x', code: 'run_unknown', problem: 'bad' }] }),
      /^dead: dead letter/,
    ],
    'a row that differs from the event log': [
      withEvidence(good, {
        projection: {
          ...good.evidence.projection,
          differences: [{ table: 'requests', key: 'one', kind: 'missing' }],
        },
      }),
      /^projection: requests one: missing/,
    ],
  };
  test.each(Object.entries(wrong))('%s', (_, [given, finding]) => {
    expect(found(given)).toContainEqual(expect.stringMatching(finding));
  });
});

describe('a restored log', () => {
  const accepted = goodCase().accepted.slice(0, 2);
  const [early, late] = accepted.map(({ requestId }) => requestId) as [string, string];
  const refused = [`a signal to ${late}: 404`, 'plain: 500'];
  const acceptedAt = new Map([
    [early, 100],
    [late, 200],
  ]);
  const times = [{ from: 150, to: 250, known: new Set<string>() }];
  const journals = new Map([[early, {}]]);

  test('has lost the requests that were accepted after it was copied, and calls to them may fail', () => {
    const checked = withoutLost(withUncertain({ accepted, refused }, acceptedAt, times), journals);
    expect(checked).toEqual({ accepted: accepted.slice(0, 1), refused: ['plain: 500'], lost: new Set([late]) });
    const complete = withoutLost(withUncertain({ accepted, refused }, acceptedAt, []), journals);
    expect(complete).toEqual({ accepted, refused, lost: new Set() });
  });

  test('has not lost a request that the copy had without its record, also if its journal is missing at the end', () => {
    const restore = { from: 150, to: 250, known: new Set([late]) };
    const checked = withoutLost(withUncertain({ accepted, refused }, acceptedAt, [restore]), journals);
    expect(checked).toEqual({ accepted, refused: ['plain: 500'], lost: new Set() });
  });

  test('has not lost a request that was submitted again after the restore', () => {
    const both = new Map([...journals, [late, {}]]);
    const checked = withoutLost(withUncertain({ accepted, refused }, acceptedAt, times), both);
    expect(checked).toEqual({ accepted, refused: ['plain: 500'], lost: new Set() });
  });

  test('takes a repeated submission for another request if the first one is lost', () => {
    const [, second] = accepted as [AcceptedRequest, AcceptedRequest];
    const repeated = { ...second, answeredWith: [late, 'again'] };
    const submitted = withUncertain({ accepted: [repeated], refused: [] }, acceptedAt, times);
    expect(withoutLost(submitted, new Map())).toEqual({
      accepted: [{ ...second, requestId: 'again', answeredWith: ['again'] }],
      refused: [],
      lost: new Set([late]),
    });
  });

  const lost = new Set(['gone']);
  const letterTo = (id: string, code = 'run_unknown') => ({
    subject: `dead.INBOX.inbox.3.command.signal.ws.${id}`,
    code,
    problem: code,
  });

  test('has dead letters to lost requests', () => {
    expect(found(withEvidence({ ...good, lost }, { dead: [letterTo('gone')] }))).toEqual([]);
  });

  test.each([
    ['to another request', letterTo('one')],
    ['for another reason', letterTo('gone', 'delivery_crashed')],
  ])('has no dead letters %s', (_, letter) => {
    expect(found(withEvidence({ ...good, lost }, { dead: [letter] }))).toEqual([
      expect.stringMatching(/^dead: dead letter/),
    ]);
  });

  test.each([
    [404, '', []],
    [200, 'failed', []],
    [200, 'running', [expect.stringMatching(/^views: HTTP returns 200 running, but the request is lost/)]],
  ])('shows a lost request with %s %s', (httpStatus, status, findings) => {
    const seen = [...good.evidence.seen, { requestId: 'gone', httpStatus, status }];
    expect(found(withEvidence({ ...good, lost }, { seen }))).toEqual(findings);
  });

  test('has at most the lost requests that cannot be compared', () => {
    const skipping = (skippedRequests: number) =>
      withEvidence({ ...good, lost }, { projection: { ...good.evidence.projection, skippedRequests } });
    expect(found(skipping(1))).toEqual([]);
    expect(found(skipping(2))).toEqual(['projection: 2 requests could not be compared']);
  });
});
