import { describe, expect, test } from '@jest/globals';
import { type BlobRef, type JsonValue, problemsOfEntry } from '@reins/contracts';
import { type EntryDraft, hashJson } from '../entries/entry.ts';
import { CREATED, draft, requestedDraft } from '../testing/journals.ts';
import {
  byReference,
  type LargeValues,
  largeValueOf,
  offloadLargeValue,
  offloadLargeValues,
  refOf,
} from './large-values.ts';

const LARGE = 'x'.repeat(70_000);

/** Values in memory. */
class Kept implements LargeValues {
  readonly values = new Map<string, JsonValue>();

  async put(value: JsonValue): Promise<BlobRef> {
    const sha256 = hashJson(value);
    this.values.set(sha256, value);
    return { sha256, size: JSON.stringify(value).length };
  }

  async get({ sha256 }: BlobRef): Promise<JsonValue> {
    return this.values.get(sha256) ?? null;
  }
}

const resolved = (value: JsonValue): EntryDraft =>
  draft('EFFECT_RESOLVED', { effectId: 'e1', attempt: 1, status: 'ok', value });
const created = (inputs: JsonValue): EntryDraft => ({ ...CREATED, data: { ...CREATED.data, inputs } }) as EntryDraft;
const assigned = (inputs: JsonValue): EntryDraft =>
  draft('PROCESS_ASSIGNED', { process: { id: 'p', codeHash: 'c' }, inputs });

describe.each([
  ['a request', requestedDraft('e1', 'task', { kind: 'node', taskId: 'build', args: { LARGE } })],
  ['a result', resolved({ value: LARGE, startedAt: 'then' })],
  ['a result that is a string', resolved(LARGE)],
  ['the inputs of a run', created([LARGE])],
  ['the inputs of a later start', assigned({ LARGE })],
  ['the output of a run', draft('RUN_COMPLETED', { output: LARGE })],
])('%s', (_, whole) => {
  test('if large, is stored by reference in a small and valid entry', async () => {
    const kept = new Kept();
    const large = largeValueOf(whole) as JsonValue;
    const small = await offloadLargeValue(whole, kept);
    expect(problemsOfEntry(small.type, small.data)).toEqual([]);
    expect(JSON.stringify(small).length).toBeLessThan(2000);
    expect(refOf(whole)).toBeUndefined();
    const ref = refOf(small) as BlobRef;
    expect(ref.sha256).toBe(hashJson(large));
    expect(await kept.get(ref)).toEqual(large);
    expect(largeValueOf(small)).toBeUndefined();
    expect(byReference(whole, ref)).toEqual(small);
  });
});

test('requests and results keep their small fields', async () => {
  const kept = new Kept();
  const request = requestedDraft('e1', 'task', { kind: 'node', taskId: 'build', args: { LARGE } });
  expect((await offloadLargeValue(request, kept)).data).toMatchObject({ request: { kind: 'node', taskId: 'build' } });
  expect((await offloadLargeValue(resolved({ LARGE, stdoutRef: 'out' }), kept)).data).toMatchObject({
    value: { stdoutRef: 'out' },
  });
});

test('an entry has the path of a file with the arguments', async () => {
  const values = Object.assign(new Kept(), { argumentsAt: (effectId: string) => `tasks/${effectId}/inputs` });
  const request = requestedDraft('e1', 'task', { args: LARGE });
  expect((await offloadLargeValue(request, values)).data).toMatchObject({ request: { inputsRef: 'tasks/e1/inputs' } });
  const without = requestedDraft('e1', 'task', { payload: LARGE });
  expect((await offloadLargeValue(without, values)).data).toMatchObject({ request: {} });
});

test('small values stay unchanged, and all values do without a store for large ones', async () => {
  const small = [created({ input: 'hello' }), resolved(1), draft('RUN_COMPLETED', { output: null })];
  expect(await offloadLargeValues(small, new Kept())).toBe(small);
  const large = [resolved(LARGE), ...small];
  expect(await offloadLargeValues(large, undefined)).toBe(large);
  expect(await offloadLargeValues(large, new Kept())).toEqual([expect.anything(), ...small]);
});
