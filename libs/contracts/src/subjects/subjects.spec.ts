import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { channelOf, EVENT_TYPES } from '../catalogue/catalogue.ts';
import { isReinsError } from '../errors/reins-error.ts';
import { eventFilter, eventSubject, parseEventSubject } from './event-subjects.ts';
import { fnv1a32, partitionOf } from './partitions.ts';
import {
  inboxSubject,
  journalSubject,
  parseInboxSubject,
  parseJournalSubject,
  replySubject,
  replyTemplate,
} from './run-subjects.ts';

const token = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);
const published = fc.constantFrom(...EVENT_TYPES.filter((type) => channelOf(type) !== 'inbox'));
const anyType = fc.constantFrom(...EVENT_TYPES);

const matches = (filter: string, subject: string): boolean => {
  const wanted = filter.split('.');
  const given = subject.split('.');
  return wanted.length === given.length && wanted.every((part, i) => part === '*' || part === given[i]);
};

describe('event subjects', () => {
  test('are parsed back', () => {
    fc.assert(
      fc.property(published, token, token, token, (type, workspaceId, requestId, runtimeId) => {
        const address = { type, workspaceId, requestId, ...(type === 'runtime.stage.requested' && { runtimeId }) };
        const subject = eventSubject(address);
        expect(parseEventSubject(subject)).toEqual(address);
        expect(matches(eventFilter({ type }), subject)).toBe(true);
        expect(matches(eventFilter({ type, workspaceId, requestId }), subject)).toBe(true);
      }),
    );
  });

  test('reject text that does not match the grammar', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const parsed = parseEventSubject(text);
        if (parsed) expect(eventSubject(parsed)).toBe(text);
      }),
    );
    expect(parseEventSubject('command.run.submit.ws.r1')).toBeUndefined();
    expect(parseEventSubject('runtime.request.started.ws')).toBeUndefined();
  });

  test('reject an id that is not a subject token', () => {
    expect(() => eventSubject({ type: 'runtime.request.started', workspaceId: 'a.b', requestId: 'r' })).toThrow(
      expect.objectContaining({ code: 'token_invalid', path: 'workspaceId' }),
    );
    expect(() => eventSubject({ type: 'runtime.stage.requested', workspaceId: 'w', requestId: 'r' })).toThrow(
      expect.objectContaining({ code: 'subject_invalid' }),
    );
  });
});

describe('subjects of a run', () => {
  test('are parsed back with the partition of the run', () => {
    fc.assert(
      fc.property(
        anyType,
        token,
        token,
        token,
        fc.integer({ min: 1, max: 64 }),
        (type, workspaceId, runId, effectId, partitions) => {
          const address = { type, workspaceId, runId, ...(!type.startsWith('command.') && { effectId }) };
          const partition = partitionOf(runId, partitions);
          expect(parseInboxSubject(inboxSubject(address, partitions))).toEqual({ ...address, partition });
          expect(parseJournalSubject(journalSubject(address, partitions))).toEqual({ workspaceId, runId, partition });
        },
      ),
    );
  });

  test('build the subject of an answer from the request', () => {
    const run = { workspaceId: 'ws', runId: 'run1' };
    const template = replyTemplate(run, 'e1');
    expect(replySubject(template, 'runtime.plan.compiled')).toBe(
      inboxSubject({ ...run, type: 'runtime.plan.compiled', effectId: 'e1' }),
    );
    expect(() => replySubject('events.x', 'runtime.plan.compiled')).toThrow(
      expect.objectContaining({ code: 'subject_invalid' }),
    );
  });

  test('reject arbitrary text without an unexpected exception', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        parseInboxSubject(text);
        parseJournalSubject(text);
        try {
          replySubject(text, 'timer.due');
        } catch (error) {
          expect(isReinsError(error)).toBe(true);
        }
      }),
    );
  });
});

test('the hash matches the published FNV-1a test vectors', () => {
  expect(fnv1a32('')).toBe(0x811c9dc5);
  expect(fnv1a32('a')).toBe(0xe40c292c);
  expect(fnv1a32('foobar')).toBe(0xbf9cf968);
});
