import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ConformanceCase, checkCalls, failsWith, scenario, settled } from './checks.ts';
import { type DrivenRun, drive, QUIET } from './driver.ts';

/** An answer that is longer than the buffers on its way. */
export const LARGE_ANSWER = 'x'.repeat(50_000);
/** Characters at which some readers end a line. */
export const SEPARATORS = 'one\u2028two\u2029three\u0085four';

const TOOL_MS = 1500;

const joined = ({ events }: DrivenRun, phase: string): string =>
  events.flatMap((event) => (event.phase === phase ? [event.text ?? ''] : [])).join('');

/** What a run does with models, tools, sessions and folders. */
export const BEHAVIOURS: readonly ConformanceCase[] = [
  scenario('a model call that the endpoint refuses is a permanent failure', 'e400', async (subject) => {
    await failsWith(subject, 'e400', 'model_call_refused', false);
  }),
  scenario('a busy model is a retryable failure', 'e429', async (subject) => {
    await failsWith(subject, 'e429', 'model_rate_limited', true);
  }),
  scenario('thinking and text are signalled in order, and the text is the answer', 'think', async (subject) => {
    const driven = await drive(subject, 'think', 'Think.', { thinkingValue: 'high' });
    const result = await settled(driven);
    assert.equal(result.status === 'ok' ? result.output : JSON.stringify(result), 'Then I answer.');
    assert.equal(joined(driven, 'agent.thinking.delta'), 'First I think.');
    assert.equal(joined(driven, 'agent.output.delta'), 'Then I answer.');
    const phases = driven.events.map(({ phase }) => phase);
    assert.ok(phases.lastIndexOf('agent.thinking.delta') < phases.indexOf('agent.output.delta'));
  }),
  scenario('the usage is that of the model calls', 'system', async (subject) => {
    const result = await settled(await drive(subject, 'system', 'Say something.'));
    assert.ok(result.status === 'ok' && result.usage, JSON.stringify(result));
    const { provider, model, inputTokens = 0, outputTokens = 0 } = result.usage;
    assert.deepEqual([provider, model], ['scripted', 'scripted-model']);
    assert.ok(inputTokens > 0 && outputTokens > 0, JSON.stringify(result.usage));
  }),
  scenario('the model gets the system prompt', 'system', async (subject) => {
    const result = await settled(await drive(subject, 'system', 'Say something.'));
    assert.equal(result.status === 'ok' ? result.output : JSON.stringify(result), 'I am tested.');
  }),
  scenario('a session continues in a new process and in other folders', 'recall', async (subject) => {
    const first = await drive(subject, 'recall', 'The word is plum.');
    const before = await settled(first);
    assert.ok(before.status === 'ok' && before.harnessSessionId !== undefined, JSON.stringify(before));
    const session = { sessionDir: first.run.sessionDir, harnessSessionId: before.harnessSessionId };
    const result = await settled(await drive(subject, 'recall', 'Which word?', session));
    assert.equal(result.status === 'ok' ? result.output : JSON.stringify(result), 'It is plum.');
  }),
  scenario('a session that does not exist is replaced by a new one', 'recall', async (subject) => {
    const harnessSessionId = '01a20884-9dc6-79d0-9aee-a26f6759b5aa';
    const result = await settled(await drive(subject, 'recall', 'Which word?', { harnessSessionId }));
    assert.equal(result.status === 'ok' ? result.output : JSON.stringify(result), 'I do not know.');
  }),
  scenario('a run without tools offers none to the model', 'offered', async (subject) => {
    const driven = await drive(subject, 'offered', 'What do you have?', { tools: [] });
    const result = await settled(driven);
    assert.equal(result.status === 'ok' ? result.output : JSON.stringify(result), 'Tools: 0');
    assert.deepEqual(driven.events.find(({ phase }) => phase === 'agent.handoff')?.tools, []);
  }),
  scenario('characters that look like the end of a line are part of the answer', 'separators', async (subject) => {
    const result = await settled(await drive(subject, 'separators', 'Say something.'));
    assert.equal(result.status === 'ok' ? result.output : JSON.stringify(result), SEPARATORS);
  }),
  scenario('a large answer is returned as a whole', 'large', async (subject) => {
    const result = await settled(await drive(subject, 'large', 'Say something.'));
    assert.ok(result.status === 'ok' && result.output === LARGE_ANSWER, JSON.stringify(result).slice(0, 500));
  }),
  scenario('a shell command works in the folder of the stage', 'shell', async (subject) => {
    const driven = await drive(subject, 'shell', "CMD='echo made > made.txt'");
    assert.equal((await settled(driven)).status, 'ok');
    assert.equal(await readFile(join(driven.run.workDir, 'made.txt'), 'utf8'), 'made\n');
    checkCalls(driven);
  }),
  scenario('a shell command that fails is signalled as a failure, and the stage goes on', 'shell', async (subject) => {
    const driven = await drive(subject, 'shell', "CMD='echo broken; exit 3'");
    assert.equal((await settled(driven)).status, 'ok');
    const [result] = driven.events.filter(({ phase }) => phase === 'agent.tool.result');
    assert.match(JSON.stringify(result?.error), /broken/);
    assert.equal(result?.output, null);
  }),
  scenario('calls of the same turn are all executed', 'parallel', async (subject) => {
    const driven = await drive(subject, 'parallel', "FILE=note.txt CONTENT=kept CMD='echo made > made.txt'");
    assert.equal((await settled(driven)).status, 'ok');
    assert.equal(await readFile(join(driven.run.workDir, 'note.txt'), 'utf8'), 'kept\n');
    assert.equal(await readFile(join(driven.run.workDir, 'made.txt'), 'utf8'), 'made\n');
    checkCalls(driven);
  }),
  scenario('cancel ends a shell command that runs', 'sleep', async (subject) => {
    const driven = await drive(subject, 'sleep', 'Wait.');
    await driven.waitForEvent('agent.tool.start');
    driven.execution.cancel('cancelled by the user');
    assert.equal((await settled(driven)).status, 'cancelled');
    checkCalls(driven);
  }),
  scenario('a tool call that does not end is stopped at the deadline toolMs', 'sleep', async (subject) => {
    const result = await settled(await drive(subject, 'sleep', 'Wait.', { deadlines: { ...QUIET, toolMs: TOOL_MS } }));
    assert.equal(result.status === 'failed' ? result.error.code : JSON.stringify(result), 'harness_no_progress');
  }),
  scenario('cancel before the first signal ends the execution as cancelled', 'hang', async (subject) => {
    const driven = await drive(subject, 'hang', 'Say something.');
    driven.execution.cancel('cancelled by the user');
    assert.equal((await settled(driven)).status, 'cancelled');
  }),
  scenario('executions at the same time do not affect each other', 'write', async (subject) => {
    const words = subject.without?.mcp === undefined ? ['plum', 'pear', 'fig'] : ['kept', 'kept', 'kept'];
    const runs = await Promise.all(words.map((word) => drive(subject, 'write', `FILE=note.txt CONTENT=${word}`)));
    await Promise.all(runs.map(settled));
    const notes = await Promise.all(runs.map(({ run }) => readFile(join(run.workDir, 'note.txt'), 'utf8')));
    assert.deepEqual(
      notes,
      words.map((word) => `${word}\n`),
    );
  }),
  scenario('nothing is written next to the folders of the run', 'write', async (subject) => {
    const driven = await drive(subject, 'write', 'FILE=note.txt CONTENT=kept');
    await settled(driven);
    assert.equal((await readdir(dirname(driven.run.workDir))).sort().join(), 'home,session,work');
    assert.equal((await readdir(driven.run.workDir)).join(), 'note.txt');
  }),
  scenario('an invalid output schema is refused', 'json', async (subject) => {
    const result = await settled(await drive(subject, 'json', 'Judge.', { outputSchema: { type: 'nonsense' } }));
    assert.equal(result.status === 'failed' ? result.error.code : JSON.stringify(result), 'harness_unsupported');
  }),
];
