import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import fc from 'fast-check';
import { decide } from './decide.ts';
import { parsePolicies } from './parse-policies.ts';
import type { ToolCallContext } from './tool-call.ts';

const policiesOf = (text: string) => {
  const { policies, problems } = parsePolicies([{ path: 'p.cedar', text }]);
  expect(problems).toEqual([]);
  return policies;
};
const call = (args: JsonObject = {}, changes: Partial<ToolCallContext> = {}): ToolCallContext => ({
  agent: { workspaceId: 'ws', agentId: 'writer' },
  tool: { toolId: 'mail.send', serverId: 'mail' },
  arguments: args,
  stage: 'execute',
  runtimeId: 'pi',
  ...changes,
});
const decided = (installation: string, args: JsonObject = {}, changes: Partial<ToolCallContext> = {}) =>
  decide(call(args, changes), { installation: policiesOf(installation) });

const ALL = 'permit(principal, action, resource);';

describe('one set', () => {
  test('denies a call that no policy permits', () => {
    expect(decided('permit(principal, action, resource == Tool::"bash");')).toEqual({
      effect: 'deny',
      policyId: 'no_permit',
      reason: 'no policy permits this call',
    });
  });

  test('denies a call that a policy forbids, whatever permits it', () => {
    const text = `${ALL}\n@id("no-mail") forbid(principal, action in Action::"tool.call", resource in Server::"mail");`;
    expect(decided(text)).toMatchObject({ effect: 'deny', policyId: 'no-mail' });
    expect(decided(text, {}, { tool: { toolId: 'bash' } })).toEqual({ effect: 'allow', policyId: 'p.cedar:1:1' });
  });

  test.each(['forbid', 'permit'])('denies a call for which a %s cannot be evaluated', (effect) => {
    const text = `${ALL}\n${effect}(principal, action, resource) when { context.arguments.to == "x" };`;
    const reason = expect.stringContaining('does not have the attribute');
    expect(decided(text)).toEqual({ effect: 'deny', policyId: 'p.cedar:2:1', reason });
  });

  test('asks only if every matching permit needs an approval', () => {
    const asks = '@approval("release, ops") permit(principal, action, resource);';
    expect(decided(asks)).toEqual({ effect: 'ask', policyId: 'p.cedar:1:1', groups: ['ops', 'release'] });
    expect(decided(`${asks}\n${ALL}`)).toEqual({ effect: 'allow', policyId: 'p.cedar:2:1' });
  });

  test('knows agent, tool, stage and runtime', () => {
    const conditions = `permit(principal in Workspace::"ws", action == Action::"mail.send", resource in Server::"mail")
      when { principal.user == "ann" && resource.read_only && context.stage == "execute" && context.runtime == "pi" };`;
    const agent = { workspaceId: 'ws', agentId: 'writer', userId: 'ann' };
    const tool = { toolId: 'mail.send', serverId: 'mail', isReadOnly: true };
    expect(decided(conditions, {}, { agent, tool }).effect).toBe('allow');
    expect(decided(conditions, {}, { agent: { ...agent, userId: 'bob' }, tool }).effect).toBe('deny');
  });
});

describe('arguments', () => {
  test('null is absent, and other numbers than integers are decimals or text', () => {
    const small = 'permit(principal, action, resource) when { context.arguments.n.lessThan(decimal("2.0")) };';
    expect(decided(small, { n: 1.5 }).effect).toBe('allow');
    expect(decided(small, { n: 2.5 }).effect).toBe('deny');
    expect(decided(small, { n: 1.000001 }).effect).toBe('deny');
    const schema = { type: 'object', properties: { n: { type: 'number' } } };
    expect(decided(small, { n: 1 }, { schema }).effect).toBe('allow');
    const absent = 'permit(principal, action, resource) unless { context.arguments has n };';
    expect(decided(absent, { n: null }).effect).toBe('allow');
    expect(decided(absent, { n: 0 }).effect).toBe('deny');
  });

  test.each([{ __entity: { type: 'Tool', id: 'x' } }, { __extn: { fn: 'ip', arg: '1.1.1.1' } }, { __expr: 'x' }])(
    '%j is text, not an expression of Cedar',
    (value) => {
      expect(
        decided('permit(principal, action, resource) when { context.arguments.a like "*__e*" };', { a: value }),
      ).toEqual({
        effect: 'allow',
        policyId: 'p.cedar:1:1',
      });
      const guarded = `${ALL} forbid(principal, action, resource) when { context.arguments has path };`;
      expect(decided(guarded, value as JsonObject).effect).toBe('deny');
    },
  );
});

test('a forbid on a text holds for every call that has it, whatever else the call has', () => {
  const text = `${ALL} forbid(principal, action, resource) when { context.arguments.command like "*curl*" };`;
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.string(), (others, before, after) => {
      const args = { ...others, command: `${before}curl${after}` } as JsonObject;
      expect(decided(text, args).effect).toBe('deny');
    }),
    { numRuns: 200 },
  );
});

test('the stricter of two layers holds', () => {
  const layers = { allow: ALL, ask: `@approval("ops") ${ALL}`, deny: 'forbid(principal, action, resource);' };
  const order = ['allow', 'ask', 'deny'] as const;
  fc.assert(
    fc.property(fc.constantFrom(...order), fc.constantFrom(...order), (one, other) => {
      const { effect } = decide(call(), {
        installation: policiesOf(layers[one]),
        workspace: policiesOf(layers[other]),
      });
      expect(effect).toBe(order[Math.max(order.indexOf(one), order.indexOf(other))]);
    }),
  );
  const asks = (group: string) => policiesOf(`@approval("${group}") ${ALL}`);
  expect(decide(call(), { installation: asks('ops'), workspace: asks('dev') })).toMatchObject({
    groups: ['dev', 'ops'],
  });
  expect(decide(call(), {})).toEqual({ effect: 'allow', policyId: 'default' });
});

test('keeps its decisions when more sets are in use than Cedar keeps parsed', () => {
  const sets = Array.from({ length: 150 }, (_, index) =>
    policiesOf(`permit(principal, action, resource == Tool::"t${index}");`),
  );
  for (const round of [0, 1])
    for (const [index, installation] of sets.entries()) {
      const tool = { toolId: `t${index}`, serverId: `s${round}` };
      expect(decide(call({}, { tool }), { installation }).effect).toBe('allow');
      expect(decide(call(), { installation }).effect).toBe('deny');
    }
});

test('never throws', () => {
  const installation = policiesOf(ALL);
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), fc.string(), (args, toolId) => {
      const { effect } = decide(call(args as JsonObject, { tool: { toolId } }), { installation });
      expect(['allow', 'deny']).toContain(effect);
    }),
  );
});
