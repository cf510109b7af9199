import { describe, expect, test } from '@jest/globals';
import type { AnyEvent, CommandRunSubmit } from '@reins/contracts';
import { emptyRun } from '@reins/journal';
import { processOf } from '../../processes/registry.ts';
import type { RunPorts } from '../run-ports.ts';
import { startRun } from './start-run.ts';

const HEAD = { requestId: 'run1', sessionId: 's', agentId: 'main', workspaceId: 'ws', idempotencyKey: 'k' };
const SUBMIT: CommandRunSubmit = {
  type: 'command.run.submit',
  ...HEAD,
  revision: 'a'.repeat(64),
  input: 'write',
  submittedAt: '2026-01-01T00:00:00.000Z',
};
const LIMITS = { startWithinMs: 1, runForMs: 1, maxAttempts: 1, onUnknown: 'fail' } as const;

/** Starts a run in a session in which the request is queued. @param waiting its stored command, if the session knows it */
function start(body: object, waiting?: CommandRunSubmit) {
  const sessions: RunPorts['sessions'] = {
    enter: async () => ({ status: 'queued' }),
    waiting: async () => waiting,
    leave: async () => {},
  };
  const defaults = () => ({ profile: { default: 'pi', stages: {} }, limits: { service: LIMITS, stage: LIMITS } });
  const state = emptyRun({ workspaceId: 'ws', runId: 'run1' });
  return startRun({ sessions, defaults, processOf, clock: { now: () => new Date(0) } }, state, {
    ...HEAD,
    ...body,
  } as unknown as AnyEvent);
}

describe('a queued request', () => {
  test('has no journal yet', async () => {
    expect(await start(SUBMIT)).toEqual([]);
  });

  test('gets a journal with its end when it is cancelled', async () => {
    const drafts = await start({ type: 'command.run.cancel', reason: 'no' }, SUBMIT);
    expect(drafts.map(({ type }) => type)).toEqual(['RUN_CREATED', 'RUN_CANCEL_REQUESTED', 'RUN_CANCELLED']);
  });

  test('does not handle other commands before it has started', async () => {
    await expect(start({ type: 'command.signal', name: 'go' }, SUBMIT)).rejects.toMatchObject({
      code: 'service_unavailable',
    });
  });
});

test('rejects a message to an unknown run', async () => {
  const messages = [{ type: 'command.signal', name: 'go' }, { type: 'command.run.cancel' }, { type: 'timer.due' }];
  for (const message of messages) await expect(start(message)).rejects.toMatchObject({ code: 'run_unknown' });
});
