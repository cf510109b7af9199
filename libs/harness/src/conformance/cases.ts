import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@reins/contracts';
import type { HarnessResult } from '../contract.ts';
import { type DrivenRun, drive } from './driver.ts';
import type { ConformanceSubject, Scenario } from './subject.ts';

/** One thing that every adapter must get right. Rejects when this one does not. */
export interface ConformanceCase {
  readonly name: string;
  /** What the model does in it; undefined = no model is called. */
  readonly scenario?: Scenario;
  run(subject: ConformanceSubject): Promise<void>;
}

const FORM: JsonObject = {
  type: 'object',
  properties: { outcome: { enum: ['pass', 'fail'] } },
  required: ['outcome'],
  additionalProperties: false,
};
const SHORT = 1500;
const QUIET = { totalMs: 60_000, startupMs: 30_000, idleMs: 30_000, noProgressMs: 30_000 };

const scenario = (name: string, wanted: Scenario, run: ConformanceCase['run']): ConformanceCase => ({
  name,
  scenario: wanted,
  run,
});

/** The cases that have a meaning for an adapter. It is a harness when all of them hold; its own word for it does not count. */
export function conformance({ without = {} }: Pick<ConformanceSubject, 'without'>): readonly ConformanceCase[] {
  return CASES.filter((item) => item.scenario === undefined || without[item.scenario] === undefined);
}

const CASES: readonly ConformanceCase[] = [
  {
    name: 'its probe tells a version, within its deadline',
    run: async ({ adapter, endpoint, settings }) => {
      const environment = {
        settings: settings ?? {},
        path: process.env.PATH ?? '',
        providers: { a: endpoint('text') },
      };
      const health = await adapter.probe(environment, 20_000);
      assert.equal(health.healthy, true, JSON.stringify(health));
      assert.notEqual(health.version, '');
    },
  },
  scenario('a whole answer is ok; the hand-off comes first', 'text', async (subject) => {
    const driven = await drive(subject, 'text', 'Say something.');
    const result = await settled(driven);
    assert.equal(result.status, 'ok', JSON.stringify(result));
    assert.ok(result.status === 'ok' && typeof result.output === 'string' && result.output.length > 0);
    assert.equal(driven.signals[0]?.phase, 'agent.handoff');
    assert.ok(driven.signals.every((signal) => signal.adapter === subject.adapter.runtimeId));
    assert.equal(driven.signals.filter((signal) => signal.phase === 'agent.handoff').length, 1);
  }),
  scenario('it writes a file of the stage, and tells each call with its result', 'write', async (subject) => {
    const driven = await drive(subject, 'write', 'FILE=note.txt CONTENT=kept');
    const result = await settled(driven);
    assert.equal(result.status, 'ok', JSON.stringify(result));
    assert.equal(await readFile(join(driven.run.workDir, 'note.txt'), 'utf8'), 'kept\n');
    checkCalls(driven);
  }),
  scenario('a tool of an MCP server is called, and its failure is told as one', 'mcp', async (subject) => {
    const { gateway } = subject;
    assert.ok(gateway, 'the case needs a gateway');
    const driven = await drive(subject, 'mcp', 'Use the tool.', { tools: [], mcpServers: [gateway] });
    const result = await settled(driven);
    assert.equal(result.status, 'ok', JSON.stringify(result));
    checkCalls(driven);
    const { signals } = driven;
    const handoff = signals.find((signal) => signal.phase === 'agent.handoff');
    assert.deepEqual(handoff?.tools, ['mcp__fixture__echo'], 'the hand-off names the tools');
    const results = signals.filter((signal) => signal.phase === 'agent.tool.result');
    assert.ok(results.every((signal) => signal.toolId === 'mcp__fixture__echo'));
    assert.deepEqual(
      results.map(({ output, error }) => [output, error !== null]),
      [
        ['echo: hello', false],
        [null, true],
      ],
    );
    assert.ok(!JSON.stringify([result, signals]).includes(gateway.headers.authorization ?? 'none'));
  }),
  scenario('a model that fails is a failure that may pass', 'e500', async (subject) => {
    await failsWith(subject, 'e500', 'model_unavailable', true);
  }),
  scenario('a refused key is a failure that stays', 'e401', async (subject) => {
    await failsWith(subject, 'e401', 'model_unauthorized', false);
  }),
  scenario('an answer that was cut is no answer', 'cut', async (subject) => {
    await failsWith(subject, 'cut', 'model_answer_cut', true);
  }),
  scenario('an answer that is not the protocol is a failure', 'garbage', async (subject) => {
    const result = await settled(await drive(subject, 'garbage', 'Say something.'));
    assert.equal(result.status, 'failed', JSON.stringify(result));
    assert.match(result.status === 'failed' ? result.error.code : '', /^model_answer_/);
  }),
  ...(['totalMs', 'noProgressMs'] as const).map((limit) =>
    scenario(`a hanging model ends at its deadline: ${limit}`, 'hang', async (subject) => {
      const deadlines = { ...QUIET, [limit]: SHORT };
      const started = performance.now();
      const result = await settled(await drive(subject, 'hang', 'Say something.', { deadlines }));
      assert.equal(result.status, 'failed', JSON.stringify(result));
      const code = limit === 'totalMs' ? 'harness_timeout_total' : 'harness_no_progress';
      assert.equal(result.status === 'failed' && result.error.code, code);
      assert.ok(performance.now() - started < SHORT + 12_000, 'it took too long to come down');
    }),
  ),
  scenario('a cancel ends it as cancelled, leaving no process', 'hang', async (subject) => {
    const driven = await drive(subject, 'hang', 'Say something.');
    await driven.waitForSignal('agent.handoff');
    driven.execution.cancel('the user said so');
    driven.execution.cancel('twice');
    assert.equal((await settled(driven)).status, 'cancelled');
  }),
  scenario('an answer in a form is the value itself', 'json', async (subject) => {
    const result = await settled(await drive(subject, 'json', 'Judge.', { outputSchema: FORM }));
    assert.deepEqual(result.status === 'ok' ? result.output : result, { outcome: 'pass' });
  }),
  scenario('an answer that never takes the form is a failure, not a guess', 'prose', async (subject) => {
    const result = await settled(await drive(subject, 'prose', 'Judge.', { outputSchema: FORM, outputRetries: 1 }));
    assert.equal(result.status === 'failed' ? result.error.code : JSON.stringify(result), 'harness_output_invalid');
  }),
  scenario('no key is in its folders, its signals or its end', 'write', async (subject) => {
    const canary = 'sk-canary-0123456789';
    const endpoint = { ...subject.endpoint('write'), apiKey: canary };
    const driven = await drive(subject, 'write', 'FILE=note.txt CONTENT=kept', { endpoint });
    const result = await settled(driven);
    assert.ok(!JSON.stringify([result, driven.signals]).includes(canary));
    const models = await readFile(join(driven.run.homeDir, 'agent', 'models.json'), 'utf8').catch(() => '');
    assert.ok(!models.includes(canary));
  }),
];

/** The end of a run that left nothing behind and told nothing after it. */
async function settled(driven: DrivenRun): Promise<HarnessResult> {
  const { result, leftover, late } = await driven.result();
  assert.equal(leftover, 0, 'processes of the run are left');
  assert.equal(late, 0, 'signals came after the end');
  return result;
}

async function failsWith(subject: ConformanceSubject, name: Scenario, code: string, retryable: boolean): Promise<void> {
  const result = await settled(await drive(subject, name, 'Say something.'));
  assert.equal(result.status, 'failed', JSON.stringify(result));
  if (result.status !== 'failed') return;
  assert.deepEqual({ code: result.error.code, retryable: result.retryable }, { code, retryable }, result.error.message);
}

function checkCalls({ signals }: DrivenRun): void {
  const started = signals.filter((signal) => signal.phase === 'agent.tool.start').map((signal) => signal.callId);
  const ended = signals.filter((signal) => signal.phase === 'agent.tool.result');
  assert.deepEqual(ended.map((signal) => signal.callId).sort(), started.sort());
  for (const signal of ended) assert.ok('output' in signal && 'error' in signal, 'a result tells output and error');
}
