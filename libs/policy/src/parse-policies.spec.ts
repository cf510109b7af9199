import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parsePolicies } from './parse-policies.ts';

const parse = (text: string) => parsePolicies([{ path: 'p.cedar', text }]);
const ALL = 'permit(principal, action, resource);';

test.each([
  [`// é\n${ALL}\npermit(principal, é, resource);`, 'p.cedar:3:19'],
  ['permit(principal == ?principal, action, resource);', 'p.cedar:1:1'],
  [`${ALL}\n  @approval("ops") forbid(principal, action, resource);`, 'p.cedar:2:3'],
  [`@approval("a b")\n${ALL}`, 'p.cedar:1:1'],
  [`@id("x") ${ALL}\n@id("x") ${ALL}`, 'x'],
])('reports %j at its place', (text, path) => {
  expect(parse(text).problems).toMatchObject([{ code: 'policy_invalid', path }]);
});

test('reports the errors of all files', () => {
  const sources = ['a', 'b'].map((name) => ({ path: `${name}.cedar`, text: 'nonsense' }));
  expect(parsePolicies(sources).problems.map(({ path }) => path)).toEqual(['a.cedar:1:9', 'b.cedar:1:9']);
});

test('names each policy by its line, also equal ones', () => {
  const { policies, problems } = parse(Array.from({ length: 12 }, () => ALL).join('\n'));
  expect(problems).toEqual([]);
  expect(policies.policies.map(({ policyId }) => policyId)).toEqual(
    Array.from({ length: 12 }, (_, index) => `p.cedar:${index + 1}:1`),
  );
});

test('never throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, isMixed) => {
      const { problems } = parse(isMixed ? `${ALL}${text}` : text);
      expect(Array.isArray(problems)).toBe(true);
    }),
  );
});
