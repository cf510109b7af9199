import { expect, test } from '@jest/globals';
import type { MemoryAddCall, MemoryEntry } from '@reins/contracts';
import { decideAdd, decideForget, editOf } from './decide.ts';
import { parseNamespace } from './namespaces.ts';

const NAMESPACE = parseNamespace('workspace/w');
const FRESH = { id: 'm9', now: '2026-01-02T00:00:00.000Z' };
const SOURCE = { person: 'ann' };
const CALL: MemoryAddCall = {
  namespace: 'workspace/w',
  kind: 'fact',
  text: 'The build takes 10 minutes',
  source: SOURCE,
};
const ENTRY: MemoryEntry = {
  id: 'm1',
  namespace: 'workspace/w',
  kind: 'fact',
  status: 'active',
  text: 'the build takes 10 minutes',
  createdAt: '2026-01-01T00:00:00.000Z',
};
const NOTHING = { similar: [], superseded: undefined };

test('a new text is written with its defaults', () => {
  expect(decideAdd(NAMESPACE, CALL, NOTHING, FRESH)).toEqual({
    decision: 'accepted',
    change: {
      type: 'memory.record.written',
      record: { ...CALL, id: 'm9', confidence: 1, createdAt: FRESH.now, sensitivity: 'internal' },
    },
  });
});

test('a text that an active record of the kind has is a duplicate', () => {
  const view = { similar: [ENTRY], superseded: undefined };
  expect(decideAdd(NAMESPACE, CALL, view, FRESH)).toEqual({ decision: 'duplicate', record: ENTRY });
  expect(decideAdd(NAMESPACE, { ...CALL, kind: 'episode' }, view, FRESH).decision).toBe('accepted');
});

test('a text may supersede a record that it only corrects; the same text changes nothing', () => {
  const view = { similar: [ENTRY], superseded: ENTRY };
  const edit = { ...CALL, supersedes: 'm1' };
  expect(decideAdd(NAMESPACE, edit, view, FRESH)).toMatchObject({ decision: 'superseded' });
  const same = { ...edit, text: ENTRY.text ?? '' };
  expect(decideAdd(NAMESPACE, same, view, FRESH)).toEqual({ decision: 'duplicate', record: ENTRY });
});

test('only an active record of the same namespace can be superseded', () => {
  const edit = { ...CALL, supersedes: 'm1' };
  const withRecord = (record: MemoryEntry | undefined) => () =>
    decideAdd(NAMESPACE, edit, { similar: [], superseded: record }, FRESH);
  expect(withRecord(undefined)).toThrow(expect.objectContaining({ code: 'memory_record_not_found' }));
  expect(withRecord({ ...ENTRY, namespace: 'workspace/v' })).toThrow(/no memory record has the id m1/);
  expect(withRecord({ ...ENTRY, status: 'superseded', supersededBy: 'm2' })).toThrow(
    expect.objectContaining({ code: 'memory_conflict', hint: 'Edit the record m2.' }),
  );
});

test.each([
  ['text', { text: 'the password is hunter2!' }],
  ['subject', { subject: 'AKIAIOSFODNN7EXAMPLE' }],
  ['data', { data: { nested: ['ghp_abcdefghijklmnopqrstuvwxyz0123456789'] } }],
])('a secret in %s is refused', (path, fields) => {
  expect(() => decideAdd(NAMESPACE, { ...CALL, ...fields }, NOTHING, FRESH)).toThrow(
    expect.objectContaining({ code: 'memory_secret_found', path }),
  );
});

test('a period must end after it begins', () => {
  const period = { validFrom: '2026-02-01T00:00:00Z', validUntil: '2026-01-01T00:00:00Z' };
  expect(() => decideAdd(NAMESPACE, { ...CALL, ...period }, NOTHING, FRESH)).toThrow(/must be later than validFrom/);
});

test('an edit keeps everything but the text and the source', () => {
  const record = { ...ENTRY, subject: 'build', confidence: 0.5, sensitivity: 'public', data: { a: 1 } };
  expect(editOf(record, 'new', { person: 'bob' })).toEqual({
    namespace: 'workspace/w',
    kind: 'fact',
    text: 'new',
    source: { person: 'bob' },
    data: { a: 1 },
    subject: 'build',
    confidence: 0.5,
    sensitivity: 'public',
    supersedes: 'm1',
  });
});

test('a record is forgotten with its earlier versions, each once', () => {
  const versions = ['m1', 'm2', 'm3'].map((id) => ({ ...ENTRY, id, status: id === 'm1' ? 'forgotten' : 'active' }));
  const forgotten = decideForget('m2', versions, { source: SOURCE }, FRESH.now);
  expect(forgotten).toMatchObject({ records: [{ id: 'm2', kind: 'fact', createdAt: ENTRY.createdAt }] });
  expect(JSON.stringify(forgotten)).not.toContain('minutes');
  expect(decideForget('m1', versions, { source: SOURCE }, FRESH.now)).toBeUndefined();
  expect(() => decideForget('m4', versions, { source: SOURCE }, FRESH.now)).toThrow(/m4/);
});
