import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defined, type JsonObject } from '@reins/contracts';
import { BEHAVIOURS } from './behaviours.ts';
import { type ConformanceCase, checkCalls, failsWith, scenario, settled } from './checks.ts';
import { drive, QUIET } from './driver.ts';
import type { ConformanceSubject } from './subject.ts';

const FORM: JsonObject = {
  type: 'object',
  properties: { outcome: { enum: ['pass', 'fail'] } },
  required: ['outcome'],
  additionalProperties: false,
};
const SHORT = 1500;
/** Well below the other deadlines, so that only the short one can have ended the run. */
const STOPPED_MS = 90_000;

/** The cases that apply to an adapter: all except those in `without`. A conforming adapter passes all of them. */
export function conformance({ without = {} }: Pick<ConformanceSubject, 'without'>): readonly ConformanceCase[] {
  return CASES.filter((item) => item.scenario === undefined || without[item.scenario] === undefined);
}

const CASES: readonly ConformanceCase[] = [
  {
    name: 'probe reports a version within its deadline',
    run: async ({ adapter, endpoint, settings, harnessesDir, sandbox }) => {
      const environment = {
        settings: settings ?? {},
        path: process.env.PATH ?? '',
        providers: { scripted: endpoint('text') },
        ...defined({ harnessesDir, sandbox }),
      };
      const health = await adapter.probe(environment, 60_000);
      assert.equal(health.healthy, true, JSON.stringify(health));
      assert.notEqual(health.version, '');
    },
  },
  scenario('a complete answer is ok; the hand-off is the first signal', 'text', async (subject) => {
    const driven = await drive(subject, 'text', 'Say something.');
    const result = await settled(driven);
    assert.equal(result.status, 'ok', JSON.stringify(result));
    assert.ok(result.status === 'ok' && typeof result.output === 'string' && result.output.length > 0);
    assert.equal(driven.events[0]?.phase, 'agent.handoff');
    assert.ok(driven.events.every((signal) => signal.adapter === subject.adapter.runtimeId));
    assert.equal(driven.events.filter((signal) => signal.phase === 'agent.handoff').length, 1);
  }),
  scenario('writes a file of the stage and signals each call and its result', 'write', async (subject) => {
    const driven = await drive(subject, 'write', 'FILE=note.txt CONTENT=kept');
    const result = await settled(driven);
    assert.equal(result.status, 'ok', JSON.stringify(result));
    assert.equal(await readFile(join(driven.run.workDir, 'note.txt'), 'utf8'), 'kept\n');
    checkCalls(driven);
  }),
  scenario('calls a tool of an MCP server and signals its failure as a failure', 'mcp', async (subject) => {
    const { gateway } = subject;
    assert.ok(gateway, 'the subject has no gateway');
    const driven = await drive(subject, 'mcp', 'Use the tool.', { tools: [], mcpServers: [gateway] });
    const result = await settled(driven);
    assert.equal(result.status, 'ok', JSON.stringify(result));
    checkCalls(driven);
    const { events } = driven;
    const handoff = events.find((signal) => signal.phase === 'agent.handoff');
    assert.deepEqual(handoff?.tools, ['mcp__fixture__echo', 'question'], 'the hand-off names the tools');
    const results = events.filter((signal) => signal.phase === 'agent.tool.result');
    assert.ok(results.every((signal) => signal.toolId === 'mcp__fixture__echo'));
    assert.deepEqual(
      results.map(({ output, error }) => [output, error !== null]),
      [
        ['echo: hello', false],
        [null, true],
      ],
    );
    assert.ok(!JSON.stringify([result, events]).includes(gateway.headers.authorization ?? 'none'));
  }),
  scenario(
    'a question to the user ends the execution, and its session continues with the answer',
    'question',
    async (subject) => {
      const { gateway } = subject;
      assert.ok(gateway, 'the subject has no gateway');
      const tools = { tools: [], mcpServers: [gateway] };
      const asked = await drive(subject, 'question', 'Paint it.', tools);
      const waiting = await settled(asked);
      assert.equal(waiting.status, 'waiting', JSON.stringify(waiting));
      if (waiting.status !== 'waiting' || waiting.harnessSessionId === undefined) assert.fail('it has no session');
      assert.equal(waiting.question, 'Which colour?');
      checkCalls(asked);
      const { sessionDir } = asked.run;
      const session = { sessionDir, harnessSessionId: waiting.harnessSessionId };
      const answered = await settled(await drive(subject, 'question', 'blue', { ...tools, ...session }));
      assert.equal(answered.status, 'ok', JSON.stringify(answered));
    },
  ),
  scenario('a model error is a retryable failure', 'e500', async (subject) => {
    await failsWith(subject, 'e500', 'model_unavailable', true);
  }),
  scenario('a rejected API key is a permanent failure', 'e401', async (subject) => {
    await failsWith(subject, 'e401', 'model_unauthorized', false);
  }),
  scenario('a truncated answer is a failure', 'cut', async (subject) => {
    await failsWith(subject, 'cut', 'model_answer_cut', true);
  }),
  scenario('a response that violates the protocol is a failure', 'garbage', async (subject) => {
    const result = await settled(await drive(subject, 'garbage', 'Say something.'));
    assert.equal(result.status, 'failed', JSON.stringify(result));
    assert.match(result.status === 'failed' ? result.error.code : '', /^model_answer_/);
  }),
  ...(['totalMs', 'noProgressMs'] as const).map((limit) =>
    scenario(`a hanging model is stopped at the deadline ${limit}`, 'hang', async (subject) => {
      const deadlines = { ...QUIET, [limit]: SHORT };
      const started = performance.now();
      const result = await settled(await drive(subject, 'hang', 'Say something.', { deadlines }));
      assert.equal(result.status, 'failed', JSON.stringify(result));
      const code = limit === 'totalMs' ? 'harness_timeout_total' : 'harness_no_progress';
      assert.equal(result.status === 'failed' && result.error.code, code);
      assert.ok(performance.now() - started < SHORT + STOPPED_MS, 'the shutdown took too long');
    }),
  ),
  scenario('cancel ends the execution as cancelled and leaves no process', 'hang', async (subject) => {
    const driven = await drive(subject, 'hang', 'Say something.');
    await driven.waitForEvent('agent.handoff');
    driven.execution.cancel('cancelled by the user');
    driven.execution.cancel('again');
    assert.equal((await settled(driven)).status, 'cancelled');
  }),
  scenario('an answer that matches the output schema is returned as a value', 'json', async (subject) => {
    const result = await settled(await drive(subject, 'json', 'Judge.', { outputSchema: FORM }));
    assert.deepEqual(result.status === 'ok' ? result.output : result, { outcome: 'pass' });
  }),
  scenario('an answer that never matches the output schema is a failure', 'prose', async (subject) => {
    const result = await settled(await drive(subject, 'prose', 'Judge.', { outputSchema: FORM, outputRetries: 1 }));
    assert.equal(result.status === 'failed' ? result.error.code : JSON.stringify(result), 'harness_output_invalid');
  }),
  scenario('the API key is in no folder, signal or result', 'write', async (subject) => {
    const canary = 'sk-canary-0123456789';
    const endpoint = { ...subject.endpoint('write'), apiKey: canary };
    const driven = await drive(subject, 'write', 'FILE=note.txt CONTENT=kept', { endpoint });
    const result = await settled(driven);
    assert.ok(!JSON.stringify([result, driven.events]).includes(canary));
    const models = await readFile(join(driven.run.homeDir, 'agent', 'models.json'), 'utf8').catch(() => '');
    assert.ok(!models.includes(canary));
  }),
  ...BEHAVIOURS,
];
