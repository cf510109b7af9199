import { describe, expect, test } from '@jest/globals';
import { type CallPolicy, decideCall, refusalOf } from './decide-call.ts';

const policy: CallPolicy = { has: (tool) => tool !== 'bash', needsApproval: (tool) => tool === 'mail.send' };

describe('decideCall', () => {
  test('allows a tool of the run', () => {
    expect(decideCall('read', policy)).toEqual({ effect: 'allow' });
    expect(refusalOf(decideCall('read', policy))).toBeUndefined();
  });

  test('denies a tool that the run does not have', () => {
    expect(decideCall('bash', policy)).toMatchObject({ effect: 'deny', code: 'tool_not_allowed' });
    expect(refusalOf(decideCall('bash', policy))).toBe("denied: 'bash' is not a tool of this run (tool_not_allowed)");
  });

  test('asks for a gated tool, which is refused with a code that the model can read', () => {
    expect(decideCall('mail.send', policy)).toMatchObject({ effect: 'ask', code: 'tool_approval_required' });
    expect(refusalOf(decideCall('mail.send', policy))).toContain('(tool_approval_required)');
  });
});
