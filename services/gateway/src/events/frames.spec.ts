import { describe, expect, test } from '@jest/globals';
import type { StoredMessage } from '@reins/bus';
import fc from 'fast-check';
import { toEventFrame } from './frames.ts';

const CREATED = '2026-01-01T00:00:00Z';
/** The sequence, and hashes of the creation time and the `ce-id`. */
const ID = '42-06fea089-168c6c92';

function message(subject: string, data: string): StoredMessage {
  return {
    subject,
    seq: 42,
    data: new TextEncoder().encode(data),
    time: new Date(0),
    msgId: '',
    header: (name) => (name === 'ce-id' ? 'e42' : undefined),
  };
}

/** The time of the message. */
const TIME = 'time: 1970-01-01T00:00:00.000Z';

describe('an event frame', () => {
  test('has its place in the log as its id, the time, the type as its name and the body as its data', () => {
    const sent = toEventFrame(message('runtime.request.started.w.r1', '{"type":"runtime.request.started"}'), CREATED);
    expect(sent?.frame.toString()).toBe(
      `id: ${ID}\n${TIME}\nevent: runtime.request.started\ndata: {"type":"runtime.request.started"}\n\n`,
    );
    expect(sent).toMatchObject({ requestId: 'r1', seq: 42, view: undefined, ends: undefined });
  });

  test('of a delta has no id', () => {
    const sent = toEventFrame(message('agent.output.delta.w.r1', '{}'), undefined);
    expect(sent).toMatchObject({ seq: undefined });
    expect(sent?.frame.toString()).toBe('event: agent.output.delta\ndata: {}\n\n');
  });

  test('of a tool event also has a view', () => {
    const sent = toEventFrame(message('agent.tool.start.w.r1', '{}'), CREATED);
    expect(sent?.view?.toString()).toBe(`id: ${ID}\n${TIME}\nevent: stable_harness.tool.progress\ndata: {}\n\n`);
  });

  test('has one line of data, however the JSON was formatted', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, '\t', '\r\n', '\r'), (value, indent) => {
        const sent = toEventFrame(
          message('runtime.request.started.w.r1', JSON.stringify(value, null, indent)),
          CREATED,
        );
        const [id, time, event, data, ...rest] = sent?.frame.toString().split(/\r\n|\r|\n/) ?? [];
        expect([id, time, event, rest]).toEqual([`id: ${ID}`, TIME, 'event: runtime.request.started', ['', '']]);
        expect(JSON.stringify(JSON.parse(data?.slice('data: '.length) ?? ''))).toBe(JSON.stringify(value));
      }),
    );
  });

  test('marks the end of a run', () => {
    const directive = (body: object) =>
      toEventFrame(message('control.directive.emitted.w.r1', JSON.stringify(body)), CREATED)?.ends;
    expect(toEventFrame(message('runtime.request.failed.w.r1', '{}'), CREATED)?.ends).toBe('terminal');
    expect(directive({ isTerminal: true, targetType: 'execution' })).toBe('last');
    expect(directive({ isTerminal: true, targetType: 'execution_node' })).toBeUndefined();
    expect(directive({ isTerminal: false, targetType: 'execution' })).toBeUndefined();
    expect(toEventFrame(message('control.directive.emitted.w.r1', 'garbage'), CREATED)?.ends).toBeUndefined();
  });

  test('is undefined for an unknown subject', () => {
    expect(toEventFrame(message('runtime.what.ever', '{}'), CREATED)).toBeUndefined();
  });
});
