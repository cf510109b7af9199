import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { isReinsError, problemOf } from '@reins/contracts';
import { type RecordedCase, runRecordedCase } from './testing/recorded-cases.ts';

/** Our result where it deliberately differs from the recorded one. */
interface Deviation {
  /** Part of a successful result. */
  readonly result?: Record<string, unknown>;
  /** Part of the text of a successful result, for names that objects treat specially. */
  readonly holds?: string;
  /** The code of an error. */
  readonly code?: string;
  readonly reason: string;
}

const testdata = (name: string): string => readFileSync(new URL(`../testdata/${name}`, import.meta.url), 'utf8');

const cases = testdata('prep-cases-open.jsonl')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as RecordedCase);
const deviations = JSON.parse(testdata('deviations.json')) as Record<string, Deviation>;

interface Outcome {
  readonly result?: unknown;
  readonly error?: { readonly code?: string; readonly message: string };
}

function outcomeOf(recorded: RecordedCase): Outcome {
  try {
    return { result: JSON.parse(JSON.stringify({ ok: true, ...runRecordedCase(recorded.input) })) };
  } catch (error) {
    // the legacy system stops at the first problem; we report all of them
    const { code, message } = isReinsError(error) ? problemOf(error) : (error as { code?: string; message: string });
    return { error: { ...(code === undefined ? {} : { code }), message } };
  }
}

/**
 * The message of a YAML error comes from the parser, and the text in the braces of an invalid placeholder is masked.
 */
function comparable(message: string): string {
  return message.startsWith('invalid YAML: ') ? 'invalid YAML: ' : message.replace(/'\{env:.*\}'(?= for)/, "'{env:…}'");
}

const same = cases.filter((each) => !deviations[each.id]);
const better = cases.flatMap((each) => {
  const deviation = deviations[each.id];
  return deviation ? [{ ...each, deviation }] : [];
});

describe('recorded cases', () => {
  test.each(same)('$id', (recorded) => {
    const { result, error } = outcomeOf(recorded);
    if (recorded.observed.ok === true) return expect(result ?? error).toEqual(recorded.observed);
    expect(error?.message === undefined ? result : comparable(error.message)).toEqual(
      comparable(recorded.observed.error?.message ?? ''),
    );
    if (recorded.observed.error?.code !== undefined) expect(error?.code).toBe(recorded.observed.error.code);
  });

  test.each(better)('$id deliberately differs: $deviation.reason', (recorded) => {
    const { result, error } = outcomeOf(recorded);
    expect(recorded.defect).toBeDefined();
    if (recorded.deviation.code !== undefined) expect(error?.code ?? result).toBe(recorded.deviation.code);
    else if (recorded.deviation.holds !== undefined) expect(JSON.stringify(result)).toContain(recorded.deviation.holds);
    else expect(result ?? error).toMatchObject(recorded.deviation.result ?? {});
  });

  test('every deviation belongs to a recorded case', () => {
    expect(Object.keys(deviations).filter((id) => !cases.some((each) => each.id === id))).toEqual([]);
  });
});
