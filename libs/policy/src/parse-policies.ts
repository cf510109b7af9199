import { checkParsePolicySet, policySetTextToParts, policyToJson } from '@cedar-policy/cedar-wasm/nodejs';
import type { Problem } from '@reins/contracts';
import { Policies, type Policy } from './policies.ts';

/** A file of policies. */
export interface PolicySource {
  /** Named in problems and in the ids of policies. */
  readonly path: string;
  readonly text: string;
}

/** The policies of all files. A file with an error has none; its owner must not use the others. */
export interface ParsedPolicies {
  readonly policies: Policies;
  readonly problems: readonly Problem[];
}

/** Groups are names: of people who decide. */
const GROUP = /^[A-Za-z0-9_-]{1,64}$/;

/** Reads policies. Reports every file with an error, with line and column (`path:line:column`). */
export function parsePolicies(sources: readonly PolicySource[]): ParsedPolicies {
  const problems: Problem[] = [];
  const policies = sources.flatMap((source) => readSource(source, problems));
  const seen = new Set<string>();
  for (const { policyId } of policies) {
    if (seen.has(policyId)) problems.push(invalid(policyId, 'two policies have this id', 'Give each its own @id.'));
    seen.add(policyId);
  }
  return { policies: new Policies(policies), problems };
}

function readSource(source: PolicySource, problems: Problem[]): readonly Policy[] {
  const { path, text } = source;
  if (!text.isWellFormed()) {
    problems.push(invalid(path, 'the file is not valid UTF-8', 'Save it as UTF-8.'));
    return [];
  }
  const checked = checkParsePolicySet({ staticPolicies: text });
  if (checked.type === 'failure') {
    problems.push(
      ...checked.errors.map(({ message, help, sourceLocations = [] }) => {
        const at = placeOf(text, charactersOf(text, sourceLocations[0]?.start ?? 0));
        return invalid(`${path}:${at}`, message.replace(/^failed to parse policies from string: /, ''), help ?? HINT);
      }),
    );
    return [];
  }
  const parts = policySetTextToParts(text);
  if (parts.type === 'failure') return [];
  let end = 0;
  return inOrder(parts.policies).flatMap((part) => {
    const start = text.indexOf(part, end);
    end = start + part.length;
    return readPolicy(part, `${path}:${placeOf(text, start)}`, problems);
  });
}

/** The parts in the order of their file. Cedar sorts them by its names for them, as texts: `policy10` before `policy2`. */
function inOrder(parts: readonly string[]): readonly string[] {
  const names = parts.map((_, index) => String(index)).sort();
  const byName = new Map(names.map((name, index) => [Number(name), parts[index] as string]));
  return parts.map((_, index) => byName.get(index) as string);
}

function readPolicy(text: string, place: string, problems: Problem[]): readonly Policy[] {
  const read = policyToJson(text);
  if (read.type === 'failure') return [];
  const { effect, annotations = {} } = read.json;
  const { id, approval } = annotations;
  const policyId = id ? id : place;
  if (approval === undefined) return [{ policyId, effect, text }];
  if (effect === 'forbid') {
    problems.push(invalid(place, '@approval has no meaning on a forbid', 'Write a permit, or remove @approval.'));
    return [];
  }
  const groups = approval.split(',').map((group) => group.trim());
  if (groups.every((group) => GROUP.test(group))) return [{ policyId, effect, groups, text }];
  problems.push(
    invalid(place, `@approval must name groups (got ${JSON.stringify(approval)})`, 'Write @approval("group, group").'),
  );
  return [];
}

const HINT = 'Correct the policy. docs/governance.md shows examples.';

const invalid = (path: string, message: string, hint: string): Problem => ({
  code: 'policy_invalid',
  path,
  message,
  hint,
});

/** Cedar counts bytes. */
const charactersOf = (text: string, bytes: number): number =>
  Buffer.from(text, 'utf8').subarray(0, bytes).toString('utf8').length;

function placeOf(text: string, index: number): string {
  const lines = text.slice(0, index).split('\n');
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
}
