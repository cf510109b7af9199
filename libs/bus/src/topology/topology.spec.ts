import { describe, expect, it } from '@jest/globals';
import { EVENT_TYPES, eventFilter } from '@reins/contracts';
import { differences, formatChanges } from './diff.ts';
import { workerDurable, workerFilter } from './names.ts';
import { declareTopology } from './topology.ts';

const topology = declareTopology({ partitions: 16, replicas: 3, runtimeIds: ['pi', 'claude_code'] });
const streamOf = (name: string) => topology.streams.find(({ config }) => config.name === name)?.config;

/** Whether the pattern matches a subject without wildcards. */
function takes(pattern: string, subject: string): boolean {
  const wanted = pattern.split('.');
  const tokens = subject.split('.');
  for (const [index, token] of wanted.entries()) {
    if (token === '>') return tokens.length > index;
    if (token !== '*' && token !== tokens[index]) return false;
  }
  return wanted.length === tokens.length;
}

describe('the topology', () => {
  it('stores every public event of the catalogue in one stream', () => {
    const streams = ['EVENTS', 'DELTAS'].map((name) => streamOf(name)?.subjects ?? []);
    for (const type of EVENT_TYPES.filter((one) => /^(runtime|agent|control)\./.test(one))) {
      const subject = `${type}.ws.req`;
      const takers = streams.filter((subjects) => subjects.some((pattern) => takes(pattern, subject)));
      expect([type, takers.length]).toEqual([type, 1]);
    }
  });

  it('keeps deltas out of the event log', () => {
    const log = streamOf('EVENTS')?.subjects ?? [];
    for (const type of ['agent.output.delta', 'agent.thinking.delta']) {
      expect(log.some((pattern) => takes(pattern, `${type}.ws.req`))).toBe(false);
    }
  });

  it('replicates every stream', () => {
    expect(new Set(topology.streams.map(({ config }) => config.num_replicas))).toEqual(new Set([3]));
  });

  it('has a durable with one filter for each work type and each runtime', () => {
    expect(topology.consumers.map(({ config }) => `${config.durable_name} ${config.filter_subject}`)).toEqual([
      'runtime-plan-requested runtime.plan.requested.*.*',
      'runtime-prepare-requested runtime.prepare.requested.*.*',
      'runtime-memory-recall-requested runtime.memory.recall.requested.*.*',
      'runtime-stage-requested-pi runtime.stage.requested.*.*.pi',
      'runtime-stage-requested-claude_code runtime.stage.requested.*.*.claude_code',
      'command-memory command.memory.>',
      'command-projection command.projection.>',
    ]);
    expect(workerFilter('runtime.plan.requested')).toBe(eventFilter({ type: 'runtime.plan.requested' }));
  });

  it('rejects a durable that would match no work', () => {
    expect(() => workerDurable('runtime.stage.requested')).toThrow(
      expect.objectContaining({ code: 'subject_invalid' }),
    );
    expect(() => workerDurable('runtime.plan.requested', 'pi')).toThrow(/does not take a runtime id/);
    expect(() => workerDurable('runtime.stage.requested', 'a.b')).toThrow(
      expect.objectContaining({ code: 'token_invalid' }),
    );
  });
});

describe('the difference between the declared and the existing topology', () => {
  it('ignores the defaults of the server', () => {
    expect(
      differences({ max_age: 0, deny_delete: false, subjects: ['b', 'a'] }, { subjects: ['a', 'b'], extra: 1 }),
    ).toEqual({
      details: [],
      fixed: false,
    });
  });

  it('names each field, and whether the server can change it', () => {
    expect(differences({ max_bytes: 5, republish: { src: 'a', dest: 'b' } }, { max_bytes: -1 })).toEqual({
      details: ['max_bytes: -1 → 5', 'republish: not set → {"src":"a","dest":"b"}'],
      fixed: false,
    });
    expect(differences({ storage: 'file' }, { storage: 'memory' }).fixed).toBe(true);
  });

  it('is formatted as human-readable text', () => {
    expect(formatChanges([])).toBe('no changes');
    expect(
      formatChanges([
        { kind: 'bucket', name: 'KV_leases', action: 'create', details: [] },
        { kind: 'stream', name: 'EVENTS', action: 'update', details: ['max_age: 0 → 1'] },
      ]),
    ).toBe('+ bucket KV_leases\n~ stream EVENTS\n    max_age: 0 → 1');
  });
});
