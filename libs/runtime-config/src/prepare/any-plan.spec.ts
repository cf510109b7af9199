import { describe, expect, test } from '@jest/globals';
import { isReinsError } from '@reins/contracts';
import fc from 'fast-check';
import type { ResolvedMcpServer } from '../plan.ts';
import { decodeHostRequest } from '../request/decode.ts';
import { inputOf, planOf } from '../testing/inputs.ts';
import { type PreparedStage, prepareStage } from './prepare-stage.ts';

const id = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_-]{1,10}$/),
  fc.constantFrom('workspace', '__proto__', 'constructor', '1', 'ü'),
);
const value = fc.oneof(fc.string(), fc.constantFrom('{env:FOO}', 'Bearer {env:FOO}', '{env:nope', '{env:BAR}'));
const pairs = fc.array(fc.tuple(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'Authorization')), value), {
  maxLength: 3,
});

const server: fc.Arbitrary<ResolvedMcpServer> = fc.record({
  server_id: id,
  type: fc.constantFrom('local' as const, 'remote' as const),
  command: fc.array(fc.string(), { maxLength: 3 }),
  url: fc.option(fc.string()),
  headers: pairs,
  environment: pairs,
  timeout_ms: fc.integer({ min: 1, max: 100_000 }),
});

const plan = fc
  .record({
    servers: fc.uniqueArray(server, { selector: (item) => item.server_id, maxLength: 4 }),
    tools: fc.array(id, { maxLength: 3 }),
    prompt: fc.string(),
    gates: fc.array(fc.string(), { maxLength: 2 }),
  })
  .map(({ servers, tools, prompt, gates }) =>
    planOf({
      resolved_mcp_servers: servers,
      resolved_mcp_tool_refs: servers.flatMap(({ server_id }) =>
        tools.map((tool_name) => ({ tool_id: `${server_id}.${tool_name}`, server_id, tool_name })),
      ),
      resolved_prompts: { 'workspace.general': prompt },
      extensions: { gated_tools: gates },
    }),
  );

/** The prepared stage, or undefined when the plan is rejected with a valid error. */
function attempt(candidate: ReturnType<typeof planOf>): PreparedStage | undefined {
  try {
    return prepareStage(inputOf({ plan: candidate }));
  } catch (error) {
    expect(isReinsError(error)).toBe(true);
    return undefined;
  }
}

describe('any plan', () => {
  test('property: is prepared or rejected with a reason, and a prepared request can be serialised and decoded', () => {
    fc.assert(
      fc.property(plan, (candidate) => {
        const prepared = attempt(candidate);
        if (prepared === undefined) return;
        const sent: unknown = JSON.parse(JSON.stringify(prepared.hostRequest));
        expect(JSON.stringify(decodeHostRequest(sent))).toHaveLength(JSON.stringify(sent).length);
        expect(prepared.hostRequest.mcp_servers).toHaveLength(candidate.resolved_mcp_servers.length);
        expect(Object.keys(prepared.hostRequest.tools)).toEqual(expect.arrayContaining(['read', 'bash']));
      }),
    );
  });

  test('property: gives the same result after a round trip through JSON', () => {
    fc.assert(
      fc.property(plan, (candidate) => {
        const prepared = attempt(candidate);
        const again = attempt(JSON.parse(JSON.stringify(candidate)) as typeof candidate);
        expect(again?.fingerprint).toBe(prepared?.fingerprint);
        expect(JSON.stringify(again?.hostRequest)).toBe(JSON.stringify(prepared?.hostRequest));
      }),
    );
  });

  test('property: no configured header or variable is in the snapshot in plain text', () => {
    const secret = fc.stringMatching(/^[a-z0-9]{16,24}$/);
    fc.assert(
      fc.property(server, fc.string(), secret, (base, name, hidden) => {
        const planted = { ...base, headers: [[name, hidden]] as const, environment: [[name, hidden]] as const };
        const prepared = attempt(planOf({ resolved_mcp_servers: [planted] }));
        const isPublic = /^(accept|content-type|user-agent|x-title|x-workspace-id|x-holaboss-.*)$/i.test(name);
        if (!isPublic) expect(JSON.stringify(prepared?.snapshot ?? {})).not.toContain(hidden);
      }),
    );
  });
});
