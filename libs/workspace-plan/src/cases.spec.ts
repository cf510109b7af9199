import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { type CompileResult, collectReferences, compileWorkspace } from './index.ts';

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly path: string | null;
  readonly hint: string | null;
}

/** One recorded result of the legacy system. */
interface Case {
  readonly id: string;
  readonly input: {
    readonly workspace_id: string;
    readonly workspace_yaml: string;
    readonly references: Record<string, string>;
  };
  readonly observed: {
    readonly plan?: unknown;
    readonly error?: Refusal;
    readonly crash?: string;
    readonly references?: readonly string[];
  };
  /** Set when the recorded behaviour is a defect that need not be reproduced. */
  readonly defect?: string;
}

/** Our result where it deliberately differs from the recorded one: the code and path of the error, or a plan. */
interface Deviation {
  readonly code?: string;
  readonly path?: string;
  readonly plan?: Record<string, unknown>;
  readonly reason: string;
}

const testdata = (name: string): string => readFileSync(new URL(`../testdata/${name}`, import.meta.url), 'utf8');

const cases = testdata('compile-cases-open.jsonl')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);
const deviations = JSON.parse(testdata('deviations.json')) as Record<string, Deviation>;

function compile({ input }: Case): CompileResult {
  return compileWorkspace({
    workspaceId: input.workspace_id,
    workspaceYaml: input.workspace_yaml,
    references: input.references,
  });
}

/**
 * The message of a YAML error comes from the parser. Only the common prefix is compared, because the recorded message
 * contains an excerpt.
 */
function comparable(error: Refusal): Refusal {
  return error.message.startsWith('invalid YAML: ') ? { ...error, message: 'invalid YAML: ' } : error;
}

const same = cases.filter((each) => !deviations[each.id]);
const deviating = cases.flatMap((each) => {
  const deviation = deviations[each.id];
  return deviation ? [{ ...each, deviation }] : [];
});

describe('recorded cases', () => {
  test.each(same)('$id', (recorded) => {
    const result = compile(recorded);
    const { plan, error, references } = recorded.observed;
    if (plan) expect(result.ok ? JSON.stringify(result.plan) : result.error).toBe(JSON.stringify(plan));
    else expect(result.ok || comparable(result.error)).toEqual(comparable(error as Refusal));
    if (references) expect(collectReferences(recorded.input.workspace_yaml)).toEqual(references);
  });

  test.each(deviating)('$id deliberately differs: $deviation.reason', (recorded) => {
    const result = compile(recorded);
    const { code, path, plan } = recorded.deviation;
    expect(recorded.defect).toBeDefined();
    if (plan) expect(result.ok && result.plan).toMatchObject(plan);
    else expect(result.ok || { code: result.error.code, path: result.error.path }).toEqual({ code, path });
  });

  test('every deviation belongs to a recorded case', () => {
    expect(Object.keys(deviations).filter((id) => !cases.some((each) => each.id === id))).toEqual([]);
  });
});
