import type { SessionState, Stage } from '@reins/contracts';
import { SHA, SimulatedRun, TREE } from './simulated-run.ts';

const FAIL = { verdict: { outcome: 'fail', reasons: ['no closing line'] } };
const PASS = { verdict: { outcome: 'pass', reasons: [] } };
const ERROR = { code: 'harness_failed', message: 'x' };
const USAGE = { inputTokens: 100, outputTokens: 20, costUsd: 0.5 };

const kept = (stage: Stage, runtimeId: string) => ({
  agentId: 'main',
  stage,
  runtimeId,
  harnessSessionId: `${stage}-session`,
  requestId: 'earlier',
});

/** The session of a run that is not its first one. */
const KEPT: SessionState = {
  revision: SHA,
  tree: TREE,
  stageSessions: [kept('execute', 'pi'), kept('evaluate', 'openai_chat')],
  turns: [{ requestId: 'earlier', input: 'before', output: 'done', endedAt: '2025-12-31T00:00:00.000Z' }],
  lastRun: { requestId: 'earlier', status: 'completed', endedAt: '2025-12-31T00:00:00.000Z' },
};

const MEMORY = [
  { scope: 'user', limit: 8, maxTokens: 300 },
  { scope: 'workspace', limit: 4, maxTokens: 100 },
];
const RECALLED = { namespace: 'user/ann', recordIds: ['r1'], context: '- [r1] fact: "on Fridays"' };
const recallsOf = (run: SimulatedRun): string[] =>
  run.published.flatMap(({ body }) => (body.type === 'runtime.memory.recall.requested' ? [body.effectId] : []));

/**
 * Runs of the pipeline whose journals are kept in `testdata/journals/<version of the pipeline>/`. Every later build must
 * replay all of these journals, so a run that was recorded never changes. Add a new one to cover something new.
 */
export const PIPELINE_CORPUS: Readonly<Record<string, (run: SimulatedRun) => Promise<void>>> = {
  every_stage: async (run) => {
    await run.submit({ input: { do: 'it' }, model: 'm', thinkingValue: 'high', metadata: { n: 1 } });
    await run.plan(['interview', 'execute', 'evaluate', 'reflect'], 3, { budget: { maxTokens: 900, maxCostUsd: 2 } });
    await run.complete({ output: 'brief', usage: USAGE });
    for (const fields of [{ usage: USAGE }, FAIL, { output: 'lessons' }, { output: 'the end' }, PASS])
      await run.complete(fields);
  },
  one_stage: async (run) => {
    await run.submit({ stages: { execute: 'codex' } });
    await run.plan(['execute'], 1, { runtimeProfile: { default: 'pi' } });
    await run.prepare({ tree: TREE });
    await run.start();
    await run.answer('stage', 'runtime.stage.completed', { output: { text: 'hi' }, tree: TREE });
  },
  without_execute: async (run) => {
    await run.submit();
    await run.plan(['interview', 'evaluate']);
    await run.complete({ output: 'brief' });
    await run.complete({ output: 'judged' });
  },
  iterations_spent: async (run) => {
    await run.submit();
    await run.plan(['execute', 'evaluate'], 2);
    for (const fields of [{}, FAIL, {}, FAIL]) await run.complete(fields);
  },
  without_verdict: async (run) => {
    await run.submit();
    await run.plan(['execute', 'evaluate']);
    await run.complete();
    await run.complete({ output: 'looks fine to me' });
  },
  rejected_plan: async (run) => {
    await run.submit();
    const diagnostics = [{ severity: 'error', code: 'workspace_mcp_registry_missing', message: 'none' }];
    await run.answer('plan', 'runtime.plan.rejected', { diagnostics });
  },
  second_attempt: async (run) => {
    await run.submit();
    await run.plan(['execute']);
    await run.prepare();
    await run.start();
    await run.answer('stage', 'runtime.stage.failed', { error: ERROR, retryable: true });
    await run.start();
    await run.answer('stage', 'runtime.stage.completed', { output: 'x', tree: TREE });
  },
  question: async (run) => {
    await run.submit();
    await run.plan(['execute']);
    await run.prepare();
    await run.start();
    const suspended = { tree: TREE, harnessSessionId: `native@${TREE}`, signals: 3 };
    await run.answer('stage', 'runtime.stage.waiting', { question: 'which file?', suspended });
    const { effectId } = run.requested('runtime.request.waiting');
    await run.send('command.run.answer', { idempotencyKey: 'a', effectId, answer: 'that one' });
    await run.start({ resumption: 1 });
    await run.answer('stage', 'runtime.stage.completed', { output: 'x', tree: TREE, resumption: 1 });
  },
  cancelled: async (run) => {
    await run.submit();
    await run.plan(['execute']);
    await run.prepare();
    await run.start();
    await run.send('command.run.cancel', { idempotencyKey: 'c', reason: 'no' });
    await run.answer('stage', 'runtime.stage.cancelled');
  },
  kept_sessions: async (run) => {
    run.session = { status: 'running', session: KEPT };
    await run.submit();
    await run.plan(['execute', 'evaluate']);
    await run.complete({ harnessSessionId: 'execute-next' });
    await run.complete(FAIL);
    await run.complete({ harnessSessionId: 'execute-last' });
    await run.complete(PASS);
  },
  memory_recalled: async (run) => {
    await run.submit({ userId: 'ann' });
    await run.plan(['execute', 'evaluate'], 2, { memory: MEMORY });
    for (const effectId of recallsOf(run))
      await run.send('runtime.memory.recall.completed', { effectId, attempt: 1, ...RECALLED });
    for (const fields of [{}, FAIL, {}, PASS]) await run.complete(fields);
  },
  memory_unavailable: async (run) => {
    await run.submit();
    await run.plan(['execute'], 1, { memory: MEMORY });
    const [first] = recallsOf(run);
    const error = { code: 'memory_access_denied', message: 'no user' };
    await run.send('runtime.memory.recall.failed', { effectId: first, attempt: 1, error });
    await run.pass(2_000);
    await run.complete();
  },
  session_of_an_earlier_version: async (run) => {
    run.session = { status: 'running', session: { harnessSessions: { pi: 'of-any-stage' } } };
    await run.submit();
    await run.plan(['execute']);
    await run.complete();
  },
};
