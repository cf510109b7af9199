import { describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@reins/contracts';
import fc from 'fast-check';
import { parseOperatorSurface } from './operator-surface.ts';
import { requestContext } from './request-context.ts';
import { sessionContexts } from './session-contexts.ts';

const turn = (n: number) => ({
  requestId: `r${n}`,
  input: `question ${n}`,
  output: `\nanswer ${n}\n\nmore`,
  endedAt: '2026-11-21T10:00:00.000Z',
});

describe('session contexts', () => {
  test('the previous run has its first lines, or the reason for its failure', () => {
    expect(sessionContexts({ turns: [turn(1)] }).recent_runtime).toEqual({
      status: 'loaded',
      value: { summary: 'answer 1 more' },
    });
    const lastRun = { requestId: 'r2', status: 'failed', reason: 'no model', endedAt: turn(1).endedAt } as const;
    expect(sessionContexts({ turns: [turn(1)], lastRun }).recent_runtime).toEqual({
      status: 'loaded',
      value: { last_stop_reason: 'failed', last_error: 'no model' },
    });
    expect(sessionContexts({ lastRun: { ...lastRun, status: 'cancelled' } }).recent_runtime).toMatchObject({
      value: { last_stop_reason: 'cancelled: no model' },
    });
    expect(sessionContexts({}).recent_runtime).toEqual({ status: 'empty' });
  });

  test('has the last turns in full, older user messages from newest to oldest, and the compaction boundary', () => {
    const turns = [1, 2, 3, 4, 5, 6].map(turn);
    const { session_resume: resume } = sessionContexts({ turns, compactionBoundary: 'they sort notes' });
    expect(resume).toMatchObject({
      status: 'loaded',
      value: {
        recent_turns: [{ input_id: 'r3' }, { input_id: 'r4' }, { input_id: 'r5' }, { input_id: 'r6' }],
        recent_user_messages: ['question 2', 'question 1'],
        compaction_boundary_summary: 'they sort notes',
      },
    });
    expect(sessionContexts({}).session_resume).toEqual({ status: 'empty' });
  });
});

describe('the context of a request', () => {
  test('reads user, pending memory, evolve candidate, session kind and flags', () => {
    const context = requestContext({
      context: {
        sessionKind: 'onboarding',
        debug: true,
        workspaceBoundaryOverride: true,
        user: { name: 'Ada', nameSource: 'manual' },
        pendingMemory: [{ title: 'Style', summary: 'short answers', evidence: 'keep it short' }],
        evolveCandidate: { id: 'c1', kind: 'skill', title: 'Sort', summary: 'sorts notes', skillPath: 'skills/sort' },
        outputSchema: { type: 'object' },
      },
    });
    expect(context).toMatchObject({
      outputSchema: { type: 'object' },
      sessionKind: 'onboarding',
      debug: true,
      boundaryOverride: true,
      currentUser: { value: { profile_id: 'default', name: 'Ada', name_source: 'manual' } },
      pendingMemory: { value: [{ title: 'Style', evidence: 'keep it short' }] },
      evolveCandidate: { value: { candidate_id: 'c1', skill_path: 'skills/sort', slug: null } },
      problems: [{ code: 'boundary_override_granted' }],
    });
  });

  test('skips, records and reports parts of an invalid shape', () => {
    const context = requestContext({
      context: { user: 7, pendingMemory: [{}], debug: 'yes', pendingmemory: [], sessionKind: 'holiday' },
    });
    expect(context.currentUser).toMatchObject({ status: 'failed' });
    expect(context.pendingMemory).toMatchObject({ status: 'failed' });
    expect(context.debug).toBe(false);
    expect(context.problems.map(({ path }) => path).sort()).toEqual([
      'metadata.context.debug',
      'metadata.context.pendingMemory',
      'metadata.context.pendingmemory',
      'metadata.context.sessionKind',
      'metadata.context.user',
    ]);
  });

  test('property: no metadata fails a preparation, and only true sets the override', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (metadata, override) => {
        requestContext(metadata as JsonValue);
        const read = requestContext({ context: { workspaceBoundaryOverride: override as JsonValue } });
        expect(read.boundaryOverride).toBe(override === true);
      }),
    );
  });
});

test('skips surfaces of an unknown type or owner', () => {
  const good = { surface_id: 'browser:user', surface_type: 'browser', owner: 'user', active: true, summary: 'a page' };
  const surfaces = [good, { ...good, surface_type: 'hologram' }, { ...good, owner: 'cat' }, 'x'];
  expect(parseOperatorSurface({ active_surface_id: 'browser:user', surfaces })).toEqual({
    active_surface_id: 'browser:user',
    surfaces: [{ ...good, mutability: 'inspect_only' }],
  });
  expect(parseOperatorSurface('nothing')).toBeNull();
  fc.assert(fc.property(fc.jsonValue(), (value) => void parseOperatorSurface(value)));
});
