import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AnyEvent } from './catalogue.ts';
import { EVENT_TYPES, isEventType, parseEvent, problemsOfEntry, problemsOfEvent, subjectTypeOf } from './catalogue.ts';

const head = { requestId: 'r1', sessionId: 's1', agentId: 'main', workspaceId: 'w1' };
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

describe('the event catalogue', () => {
  test('contains the established types and no others', () => {
    expect(isEventType('runtime.request.started')).toBe(true);
    expect(isEventType('runtime.request.begun')).toBe(false);
    expect(isEventType('toString')).toBe(false);
    expect(new Set(EVENT_TYPES).size).toBe(EVENT_TYPES.length);
  });

  test('returns a valid body', () => {
    const body = { type: 'runtime.request.completed', ...head, output: { text: 'done' }, unknownField: 1 };
    expect(parseEvent(bytes(body))).toEqual(body);
  });

  test('reports all problems of a body with their paths', () => {
    const body = {
      type: 'runtime.stage.failed',
      ...head,
      requestId: 'a b',
      stage: 'dance',
      effectId: 'e',
      runtimeId: 'pi',
      attempt: 0,
      error: { code: '' },
      retryable: 'yes',
    };
    expect(problemsOfEvent(body).map((problem) => problem.path)).toEqual([
      'requestId',
      'stage',
      'attempt',
      'error.code',
      'error.message',
      'retryable',
    ]);
  });

  test('rejects an unknown type, invalid JSON and invalid UTF-8 with their codes', () => {
    expect(() => parseEvent(bytes({ type: 'runtime.nothing' }))).toThrow(
      expect.objectContaining({ code: 'event_type_unknown' }),
    );
    expect(() => parseEvent(new TextEncoder().encode('{'))).toThrow(
      expect.objectContaining({ code: 'message_invalid' }),
    );
    expect(() => parseEvent(new Uint8Array([0xff, 0xfe]))).toThrow(
      expect.objectContaining({ code: 'message_invalid' }),
    );
  });

  test('never throws for any JSON value', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...EVENT_TYPES),
        fc.jsonValue(),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (type, value, more) => {
          expect(Array.isArray(problemsOfEvent(value))).toBe(true);
          expect(
            problemsOfEvent({ ...head, ...more, type }).every((problem) => problem.code === 'message_invalid'),
          ).toBe(true);
        },
      ),
    );
  });

  test('validates the data of a journal entry by its type', () => {
    expect(problemsOfEntry('RUN_CANCELLED', {})).toEqual([]);
    expect(problemsOfEntry('RUN_FAILED', {})).toEqual([expect.objectContaining({ path: 'data.error' })]);
    expect(problemsOfEntry('RUN_UNKNOWN', {})).toEqual([expect.objectContaining({ path: 'type' })]);
  });

  test('uses the phase as the subject type of a signal, but not the type of a fact', () => {
    const signal = (phase: string): AnyEvent => ({
      type: 'runtime.adapter.event',
      ...head,
      event: { adapter: 'pi', phase },
    });
    expect(subjectTypeOf(signal('agent.tool.start'))).toBe('agent.tool.start');
    expect(subjectTypeOf(signal('runtime.request.completed'))).toBe('runtime.adapter.event');
    expect(subjectTypeOf(signal('something.else'))).toBe('runtime.adapter.event');
    expect(subjectTypeOf({ type: 'runtime.request.started', ...head })).toBe('runtime.request.started');
  });
});
