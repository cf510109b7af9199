import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defined, type JsonObject } from '@reins/contracts';
import { PrepFixture } from '../testing/prep-fixture.ts';

const TOKEN = 'desktop-canary-token';
let desktop: Server;
let answer: { readonly status: number; readonly body: string } | 'never';
let asked: { url: string | undefined; headers: IncomingHttpHeaders } | undefined;
let prep: PrepFixture;
/** Keeps a response from arriving in time. */
let hasty: PrepFixture;

beforeAll(async () => {
  desktop = createServer((request, response) => {
    asked = { url: request.url, headers: request.headers };
    if (answer !== 'never') response.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((resolve) => desktop.listen(0, '127.0.0.1', resolve));
  const { port } = desktop.address() as AddressInfo;
  const start = async (more: { contextDeadlineMs?: number } = {}): Promise<PrepFixture> => {
    const started = await PrepFixture.start((settings) => {
      Object.assign(settings.desktop, { browser: 'on', url: `http://127.0.0.1:${port}/`, token: TOKEN });
      Object.assign(settings.prepare, { contextTokens: { evolve_candidate: 40 }, ...more });
    });
    await started.offer('pi', ['model', 'browserTools', 'toolSelection']);
    return started;
  };
  prep = await start();
  hasty = await start({ contextDeadlineMs: 100 });
});
afterAll(async () => {
  await prep.stop();
  await hasty.stop();
  desktop.closeAllConnections();
  desktop.close();
});

const SURFACES = {
  active_surface_id: 'browser:user',
  surfaces: [
    { surface_id: 'browser:user', surface_type: 'browser', owner: 'user', active: true, summary: 'the order of Ada' },
  ],
};

async function prepared(metadata: JsonObject = {}, more: JsonObject = {}, by = prep) {
  const result = await by.prepared({ input: { input: 'What is on this page?', metadata }, ...more });
  const outcomes = Object.fromEntries((result.answer.contexts ?? []).map((each) => [each.id, each]));
  return { ...result, outcomes, text: (result.request.context_messages as string[]).join('\n') };
}

describe('contexts', () => {
  test('loads the operator surface from the desktop of the browser', async () => {
    answer = { status: 200, body: JSON.stringify(SURFACES) };
    const { request, outcomes, text, snapshot } = await prepared();
    expect(asked?.url).toBe('/operator-surface-context');
    expect(asked?.headers).toMatchObject({ 'x-holaboss-desktop-token': TOKEN, 'x-holaboss-workspace-id': 'ws' });
    expect(text).toContain('the order of Ada');
    expect(outcomes.operator_surface).toMatchObject({ status: 'used' });
    expect(request).toMatchObject({ browser_tools_enabled: true, browser_space: 'user' });
    expect(request.tools).toMatchObject({ browser_navigate: true });
    expect(JSON.stringify([request, snapshot])).not.toContain(TOKEN);
  });

  test('an empty, failing or slow desktop never fails a stage', async () => {
    const outcome = async (next: typeof answer) => {
      answer = next;
      return (await prepared()).outcomes.operator_surface;
    };
    expect(await outcome({ status: 409, body: '' })).toMatchObject({ status: 'empty' });
    expect(await outcome({ status: 500, body: '' })).toMatchObject({
      status: 'failed',
      reason: 'the desktop responded with status 500',
    });
    expect(await outcome({ status: 200, body: '{"x"' })).toMatchObject({ status: 'failed' });
    answer = 'never';
    const { outcomes } = await prepared({}, {}, hasty);
    expect(outcomes.operator_surface).toMatchObject({ status: 'timed_out', reason: 'timed out after 100 ms' });
  });

  test('offers the browser to sessions of people and to runtimes that support it', async () => {
    answer = { status: 200, body: JSON.stringify(SURFACES) };
    const onboarding = await prepared({ context: { sessionKind: 'onboarding' } });
    expect(onboarding.outcomes.operator_surface).toMatchObject({ status: 'disabled' });
    expect(onboarding.request).toMatchObject({ browser_tools_enabled: false, session_kind: 'onboarding' });
    const another = await prepared({}, { runtimeId: 'openai_chat' });
    expect(another.request.browser_tools_enabled).toBe(false);
  });

  test('includes user, pending memory, session history and compaction boundary, each with its outcome', async () => {
    answer = { status: 404, body: '' };
    const turns = [{ requestId: 'r0', input: 'Sort them', output: 'Sorted.', endedAt: '2026-11-21T10:00:00.000Z' }];
    const session = {
      turns,
      compactionBoundary: 'they sort notes by week',
      lastRun: {
        ...{ requestId: 'r1', status: 'failed', reason: 'no model answered', question: 'Which week?' },
        endedAt: '2026-11-21T11:00:00.000Z',
      },
    };
    const { outcomes, text, snapshot, request } = await prepared(
      {
        context: {
          actor: 'laptop',
          user: { id: 'u1', name: 'Ada' },
          pendingMemory: [{ title: 'Style', summary: 'short answers' }],
        },
      },
      { context: { session } },
    );
    for (const part of [
      'Ada',
      'short answers',
      'Sorted.',
      'they sort notes by week',
      'no model answered',
      'Which week?',
    ])
      expect(text).toContain(part);
    const status = Object.fromEntries(Object.entries(outcomes).map(([id, each]) => [id, each.status]));
    expect(status).toEqual({
      current_user: 'used',
      operator_surface: 'empty',
      pending_user_memory: 'used',
      scratchpad: 'empty',
      evolve_candidate: 'empty',
      recent_runtime: 'used',
      session_resume: 'used',
      recalled_memory: 'disabled',
    });
    expect(snapshot.contexts).toHaveLength(8);
    expect(request.user_id).toBe('u1');
    expect(request.actor).toBe('laptop');
  });

  test('has no memory that the request claims to have recalled', async () => {
    answer = { status: 404, body: '' };
    const memories = [
      { scope: 'workspace', title: 'canary-of-another-workspace', summary: 'canary', status: 'active' },
    ];
    const { outcomes, request, snapshot } = await prepared(
      { context: { recalledMemory: memories, recalled_memory: memories } },
      { context: { recalled_memory: memories } },
    );
    expect(outcomes.recalled_memory).toEqual({
      ...{ id: 'recalled_memory', status: 'disabled', tokens: 0, droppedTokens: 0 },
      reason: 'the workspace declares no memory',
    });
    expect(JSON.stringify([request, snapshot])).not.toContain('canary');
  });

  test('fences what the run recalled as data, with ids, and records what it could not recall', async () => {
    answer = { status: 404, body: '' };
    const user = { namespace: 'user/ann', recordIds: ['r1'], context: '- [r1] "I deploy on Fridays"' };
    const error = { code: 'effect_timed_out', message: 'the attempt did not end within 2000 ms' };
    const away = { namespace: 'workspace', error };
    const some = await prepared({}, { context: { recalledMemory: [user, away] } });
    expect(some.text).toContain('<memory namespace="user/ann">\n- [r1] "I deploy on Fridays"\n</memory>');
    expect(some.outcomes.recalled_memory).toMatchObject({ status: 'used' });
    const outcome = async (recalled: JsonObject) =>
      (await prepared({}, { context: { recalledMemory: [recalled] } })).outcomes.recalled_memory;
    expect(await outcome(away)).toMatchObject({ status: 'unavailable', reason: `workspace: ${error.message}` });
    const denied = { code: 'memory_access_denied', message: 'no user' };
    expect(await outcome({ namespace: 'user', error: denied })).toMatchObject({ status: 'failed' });
    expect(await outcome({ ...user, recordIds: [], context: '' })).toMatchObject({ status: 'empty' });
  });

  test('cuts a context to its budget, with a warning', async () => {
    answer = { status: 404, body: '' };
    const evolveCandidate = { id: 'c', kind: 'skill', title: 'Sort', summary: 'very long '.repeat(200) };
    const { answer: completed, outcomes } = await prepared({ context: { evolveCandidate } });
    expect(outcomes.evolve_candidate?.tokens).toBeLessThanOrEqual(40);
    expect(outcomes.evolve_candidate?.droppedTokens).toBeGreaterThan(400);
    expect(completed.warnings?.map(({ code }) => code)).toEqual(['context_truncated']);
  });

  test('records an invalid context of the request as failed, with a warning', async () => {
    const { answer: completed, outcomes } = await prepared({ context: { user: 'Ada' } });
    expect(outcomes.current_user).toMatchObject({ status: 'failed' });
    expect(completed.warnings).toMatchObject([{ code: 'context_invalid', path: 'metadata.context.user' }]);
  });

  test('lists the files that differ from the revision, for a stage without the conversation', async () => {
    answer = { status: 404, body: '' };
    const revision = await prep.tree({ 'AGENTS.md': 'x', 'old.md': 'x', 'same.md': 'x' });
    const tree = await prep.tree({ 'AGENTS.md': 'y', 'new.md': 'x', 'same.md': 'x', '.reins/todo.md': 'x' });
    const { text, request } = await prepared({}, { tree, context: { revision } });
    for (const line of ['- AGENTS.md (modified)', '- new.md (added)', '- old.md (deleted)'])
      expect(text).toContain(line);
    expect(text).not.toMatch(/same\.md|todo\.md/);
    expect(request.continued_context_messages).toBeNull();
    const context = { revision, continued: { harnessSessionId: 'native-1' } };
    const continued = (await prepared({}, { tree, context })).request.continued_context_messages;
    expect(JSON.stringify(continued)).not.toContain('new.md');
  });

  test('reads the scratchpad of the agent from the tree of the session', async () => {
    answer = { status: 404, body: '' };
    const tree = await prep.tree({ '.reins/scratchpad.md': 'half of the notes are sorted' });
    const { text, outcomes } = await prepared({}, { tree });
    expect(text).toContain('.reins/scratchpad.md');
    expect(text).toContain('half of the notes are sorted');
    expect(outcomes.scratchpad).toMatchObject({ status: 'used' });
  });
});

describe('a stage that continues its session', () => {
  const turn = (n: number) => ({
    requestId: `r${n}`,
    input: `input ${n}`,
    output: `output ${n}`,
    endedAt: '2026-01-01T00:00:00.000Z',
  });
  const endedStages = [{ stage: 'execute', runtimeId: 'pi', requestId: 'r3', handoff: { openSteps: ['Paint'] } }];
  const session = { turns: [turn(1), turn(2), turn(3)], compactionBoundary: 'older', endedStages };
  const promptOf = async (requestId: string | undefined, more: JsonObject = {}, stage = 'execute') => {
    const context = {
      session,
      continued: { harnessSessionId: 'native-1', ...defined({ requestId }) },
      ...more,
    };
    const { request } = await prepared({}, { context, stage });
    expect(request.harness_session_id).toBe('native-1');
    const all = (request.context_messages as string[]).join('\n');
    expect(all).toContain('input 1');
    return (request.continued_context_messages as string[]).join('\n');
  };

  test('gets the turns that it does not have', async () => {
    const text = await promptOf('r2');
    expect(text).toContain('output 3');
    expect(text).toContain('Stage execute (pi, earlier request r3):\n- open step: Paint');
    expect(text).not.toMatch(/input [12]|older/);
    expect(await promptOf('r3')).toBe('');
    expect(await promptOf('long-ago')).toContain('older');
  });

  test('gets the results of stages since its last iteration', async () => {
    const results = {
      interview: 'the brief',
      previous: 'the work',
      reflection: 'the plan',
      verdict: { outcome: 'fail', reasons: ['too short'] },
    };
    const execute = await promptOf(undefined, results);
    expect(execute).toContain('too short');
    expect(execute).toContain('the plan');
    expect(execute).not.toMatch(/the brief|the work|input/);
    const reflect = await promptOf(undefined, results, 'reflect');
    expect(reflect).toContain('the work');
    expect(reflect).not.toMatch(/the brief|the plan/);
  });
});
