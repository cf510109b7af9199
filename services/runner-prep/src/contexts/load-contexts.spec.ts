import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { CurrentUser, Loaded, RecalledMemory } from '@reins/runtime-config';
import { StepTimer } from '../step-timer.ts';
import { type ContextLoader, type ContextSources, loadContexts } from './load-contexts.ts';

const EMPTY = { status: 'empty' } as const;
const sources = (some: Partial<ContextSources>): ContextSources => ({
  current_user: EMPTY,
  operator_surface: EMPTY,
  pending_user_memory: EMPTY,
  evolve_candidate: EMPTY,
  scratchpad: EMPTY,
  recent_runtime: EMPTY,
  session_resume: EMPTY,
  recalled_memory: EMPTY,
  ...some,
});

const USER: Loaded<CurrentUser> = {
  status: 'loaded',
  value: { profile_id: 'default', name: 'Ada', name_source: 'manual' },
};
const load = (some: Partial<ContextSources>, timer = new StepTimer()) =>
  loadContexts(sources(some), { deadlineMs: 1_500, timer });

describe('contexts', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('loads a context that takes 300 ms', async () => {
    const memories: Loaded<readonly RecalledMemory[]> = { status: 'loaded', value: [] };
    const loading = load({
      recalled_memory: () => new Promise((resolve) => setTimeout(() => resolve(memories), 300)),
    });
    await jest.advanceTimersByTimeAsync(300);
    expect((await loading).recalled_memory).toBe(memories);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('aborts a late context and still loads the others', async () => {
    let stopped = false;
    const never: ContextLoader<CurrentUser> = (signal) =>
      new Promise(() => {
        signal.addEventListener('abort', () => {
          stopped = true;
        });
      });
    const loading = load({ current_user: never, scratchpad: async () => EMPTY });
    await jest.advanceTimersByTimeAsync(1_500);
    expect(await loading).toMatchObject({
      current_user: { status: 'timed_out', reason: 'timed out after 1500 ms' },
      scratchpad: EMPTY,
    });
    expect(stopped).toBe(true);
  });

  test('loads concurrently: each context waits until the other has started', async () => {
    const started = { user: Promise.withResolvers<void>(), pad: Promise.withResolvers<void>() };
    const loaded = await load({
      current_user: async () => {
        started.user.resolve();
        await started.pad.promise;
        return USER;
      },
      scratchpad: async () => {
        started.pad.resolve();
        await started.user.promise;
        return EMPTY;
      },
    });
    expect(loaded).toMatchObject({ current_user: USER, scratchpad: EMPTY });
  });

  test('records a failing context as failed, and measures each by name', async () => {
    const timer = new StepTimer();
    const broken = async (): Promise<Loaded<CurrentUser>> => {
      throw new Error('connection closed');
    };
    expect(await load({ current_user: broken }, timer)).toMatchObject({
      current_user: { status: 'failed', reason: 'connection closed' },
    });
    expect(Object.keys(timer.timings)).toHaveLength(8);
    expect(timer.timings).toHaveProperty('load_current_user_context');
  });
});
