import { setTimeout as sleep } from 'node:timers/promises';
import { type JsonValue, ReinsError } from '@reins/contracts';
import type { HarnessAdapter, HarnessResult, HarnessRun } from '../../contract.ts';
import { failedResult } from '../../execution/failures.ts';
import { startTask, type TaskContext } from '../../execution/task-execution.ts';
import { ConfinedFile } from '../../files/confined-file.ts';
import { invalidOutputProblem, OutputValidator } from '../../structured/output-validator.ts';
import { type Directive, directivesOf } from './directives.ts';

const ID = 'echo';

/**
 * Returns its instruction as the output. Calls no model and starts no process; for tests and benchmarks. Directives
 * in the instruction make it write, wait, fail, ask or hang (see `directives.ts`).
 */
export const echoAdapter: HarnessAdapter = {
  runtimeId: ID,
  capabilities: {
    model: false,
    systemPrompt: false,
    toolSelection: false,
    mcp: 'none',
    resume: false,
    images: false,
    thinking: false,
    editsFiles: true,
  },
  settings: {},
  probe: async () => ({ healthy: true, version: '1' }),
  inProcessWork: ({ instruction, stage }) => {
    const names = new Set(directivesOf(instruction, stage).map(({ name }) => name));
    // `crash` kills its own process, so it needs one.
    return names.has('crash') ? undefined : { files: names.has('write') };
  },
  start: (run, sink) => startTask(ID, run, sink, (parts) => ({ run: () => echo(run, parts), usage: () => ({}) })),
};

async function echo(run: HarnessRun, { signals, recordActivity, signal }: TaskContext): Promise<HarnessResult> {
  signals.handoff(`${ID}/${ID}`, []);
  recordActivity();
  const state: Reply = { answer: undefined, stream: false };
  for (const directive of directivesOf(run.instruction, run.stage)) {
    const result = await execute(directive, run, state, { signal, signals });
    if (result) return result;
  }
  const text = state.answer ?? defaultAnswer(run);
  if (state.stream) for (const word of text.split(/(?<= )/)) signals.text(word);
  return { status: 'ok', output: await validOutput(text, run) };
}

/** The time between two ticks of `clock`. */
const CLOCK_MS = 500;

interface Reply {
  answer: string | undefined;
  stream: boolean;
}

async function execute(
  directive: Directive,
  run: HarnessRun,
  reply: Reply,
  { signal, signals }: Pick<TaskContext, 'signal' | 'signals'>,
): Promise<HarnessResult | undefined> {
  switch (directive.name) {
    case 'answer':
      reply.answer = directive.rest;
      return undefined;
    case 'leak':
      reply.answer = run.endpoint.apiKey;
      return undefined;
    case 'stream':
      reply.stream = true;
      return undefined;
    case 'delay':
      await sleep(directive.count, undefined, { signal });
      return undefined;
    case 'clock':
      for (let tick = 0; tick < directive.count; tick += 1) {
        await sleep(CLOCK_MS, undefined, { signal });
        signals.text(`${performance.timeOrigin + performance.now()} `);
      }
      return undefined;
    case 'hang':
      await sleep(2 ** 31 - 1, undefined, { signal });
      return undefined;
    case 'write':
      await write(run.workDir, directive.path, directive.content);
      return undefined;
    case 'crash':
      process.kill(process.pid, 'SIGKILL');
      return undefined;
    case 'ask':
      return { status: 'waiting', question: directive.rest };
    case 'error':
      return { status: 'failed', error: { code: directive.rest, message: 'failed by @echo error' }, retryable: false };
    case 'fail':
      return run.attempt <= directive.count
        ? failedResult(
            new ReinsError({
              code: 'model_unavailable',
              message: `failed by @echo fail: the first ${directive.count} attempts fail`,
            }),
          )
        : undefined;
  }
}

async function write(workDir: string, path: string, content: string): Promise<void> {
  const file = await ConfinedFile.resolve(workDir, path);
  await file.write(Buffer.from(`${content}\n`));
}

/** An evaluation must return a verdict. Without a directive, the echo passes it. */
function defaultAnswer(run: HarnessRun): string {
  const needsVerdict = run.stage === 'evaluate' && run.outputSchema !== undefined;
  return needsVerdict ? JSON.stringify({ outcome: 'pass', score: 1, reasons: ['echo'] }) : run.instruction;
}

async function validOutput(text: string, { outputSchema }: HarnessRun): Promise<JsonValue> {
  if (outputSchema === undefined) return text;
  const checked = await (await OutputValidator.of(outputSchema)).check(text);
  if (checked.valid) return checked.value;
  throw new ReinsError(invalidOutputProblem(text, checked.problems));
}
