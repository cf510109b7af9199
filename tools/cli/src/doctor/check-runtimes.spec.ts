import { describe, expect, test } from '@jest/globals';
import type { ProviderHealth } from '@reins/contracts';
import { type RuntimeHealth, stageRuntimes } from '@reins/service-kit/installation';
import { checkProviders, checkRuntimes } from './check-runtimes.ts';

const runtime = (runtimeId: string, more: Partial<RuntimeHealth> = {}): RuntimeHealth => ({
  runtimeId,
  version: '1',
  healthy: true,
  ...more,
});
const PROFILE = { default: 'chat', stages: { execute: 'pi' } };

describe('the runtimes of stages', () => {
  test('come from the profile, with the best of their hosts', () => {
    const known = [runtime('pi', { healthy: false, version: '', reason: 'gone' }), runtime('pi'), runtime('chat')];
    const stages = stageRuntimes(PROFILE, known);
    expect(
      stages.map(({ stage, runtimeId, runtimeSource, healthy }) => [stage, runtimeId, runtimeSource, healthy]),
    ).toEqual([
      ['interview', 'chat', 'default', true],
      ['execute', 'pi', 'stage', true],
      ['evaluate', 'chat', 'default', true],
      ['reflect', 'chat', 'default', true],
    ]);
    expect(checkRuntimes(stages).status).toBe('ok');
  });

  test('fail with one reason for each runtime', () => {
    const stages = stageRuntimes(PROFILE, [runtime('chat', { healthy: false, reason: 'no key' })]);
    expect(checkRuntimes(stages)).toMatchObject({
      status: 'failed',
      message: 'interview, evaluate, reflect → chat: no key; execute → pi: no harness host offers it',
    });
  });
});

test('each provider has one check with its worst result, and an unknown one does not fail', () => {
  const provider = (providerId: string, status: ProviderHealth['status'], reason?: string): ProviderHealth => ({
    providerId,
    status,
    ...(reason && { reason }),
  });
  const known = [
    runtime('chat', { providers: [provider('a', 'ok'), provider('b', 'unknown', 'no list')] }),
    runtime('pi', { providers: [provider('a', 'failed', 'dead'), provider('b', 'ok')] }),
    runtime('echo'),
  ];
  expect(checkProviders(known)).toEqual([
    { name: 'providers.a', status: 'failed', message: 'dead' },
    { name: 'providers.b', status: 'warning', message: 'no list' },
  ]);
});
