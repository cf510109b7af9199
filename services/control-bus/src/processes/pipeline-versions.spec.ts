import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { defined } from '@reins/contracts';
import { type Entry, foldRun, hashJson, verifyEntries } from '@reins/journal';
import { replayRun } from '@reins/replay';
import { PIPELINE_CORPUS } from '../testing/pipeline-corpus.ts';
import { SimulatedRun } from '../testing/simulated-run.ts';
import { type BuiltInProcess, definitionFor } from './built-in-process.ts';
import { pipeline, pipeline1, pipeline2 } from './pipeline.ts';
import type { PipelineExtension } from './pipeline-extension.ts';
import { processOf } from './registry.ts';

const RUN = { workspaceId: 'ws', runId: 'run1' };
const ROOT = join(import.meta.dirname, '..', '..', 'testdata', 'journals');
const namesIn = (version: string) => readdirSync(join(ROOT, version)).map((file) => file.replace('.json', ''));
const journalOf = (version: string, name: string) =>
  JSON.parse(readFileSync(join(ROOT, version, `${name}.json`), 'utf8')) as Entry[];
const names = namesIn('pipeline-1');

/** Replays every prefix of a journal with the version that it names. */
async function replayed(version: string, name: string, expected: BuiltInProcess): Promise<void> {
  const entries = journalOf(version, name);
  expect(verifyEntries(entries, RUN)).toEqual([]);
  for (let length = 1; length <= entries.length; length += 1) {
    const prefix = entries.slice(0, length);
    const state = foldRun(RUN, prefix);
    const process = processOf(state.process.id, state.process.codeHash);
    expect(process).toBe(expected);
    const replay = await replayRun({ run: RUN, entries: prefix, definition: definitionFor(process, state) });
    expect(replay.divergence).toBeUndefined();
    if (length === entries.length) expect(replay.unrecorded).toEqual([]);
  }
}

async function driven(name: string, run = new SimulatedRun()): Promise<SimulatedRun> {
  await PIPELINE_CORPUS[name]?.(run);
  return run;
}

describe('journals of pipeline/1', () => {
  test('cover every run of the corpus', () => {
    const withoutMemory = Object.keys(PIPELINE_CORPUS).filter((name) => !name.includes('memory'));
    expect(names.toSorted()).toEqual(withoutMemory.toSorted());
  });

  test.each(names)('%s is valid, and every prefix of it replays with the version that it names', async (name) => {
    await replayed('pipeline-1', name, pipeline1);
  });

  test('a run keeps its version when another build owns it', async () => {
    const old = new SimulatedRun(pipeline1);
    await old.submit();
    const run = new SimulatedRun(undefined, 'run1', old.journal);
    run.published.push(...old.published);
    await run.plan(['execute']);
    await run.complete();
    expect(run.types).toContain('runtime.request.completed');
    expect((await run.entries()).map(({ type }) => type)).not.toContain('PROCESS_CODE_CHANGED');
  });
});

describe('journals of pipeline/2', () => {
  test('cover every run of the corpus', () => {
    expect(namesIn('pipeline-2').toSorted()).toEqual(Object.keys(PIPELINE_CORPUS).toSorted());
  });

  test.each(namesIn('pipeline-2'))('%s is valid, and every prefix of it replays with its extensions', async (name) => {
    await replayed('pipeline-2', name, pipeline);
  });
});

describe('pipeline/2', () => {
  test('is the version of new requests', async () => {
    const run = new SimulatedRun();
    await run.submit();
    expect((await run.entries())[0]?.data).toMatchObject({
      process: { id: 'pipeline', codeHash: hashJson('pipeline/2') },
    });
  });

  test.each(names)('decides like pipeline/1 without extensions: %s', async (name) => {
    const bare = new SimulatedRun(pipeline2([]));
    const [first, second] = [await driven(name, new SimulatedRun(pipeline1)), await driven(name, bare)];
    const [one, two] = [await first.entries(), await second.entries()];
    expect(two.slice(1).map(({ type, data }) => [type, data])).toEqual(
      one.slice(1).map(({ type, data }) => [type, data]),
    );
  });
});

/** Recalls before the plan, gives each preparation what it recalled, and records its calls. */
const recalling = (id: string, calls: string[] = []): PipelineExtension => ({
  id,
  start: (context, { inputs }) => {
    let recalled: string | undefined;
    return {
      beforePlan: async () => {
        calls.push(`${id}: plan`);
        const answer = await context.effect('memory.recall', { namespace: id, query: String(inputs.input) });
        recalled = String((answer as { context: string }).context);
      },
      aroundPrepare: (request, next) => {
        calls.push(`${id}: prepare ${request.stage}`);
        return next({ ...request, context: { ...request.context, [id]: recalled ?? null } });
      },
      aroundStage: async (request, next) => {
        calls.push(`${id}: stage ${request.stage}`);
        const result = await next(request);
        calls.push(`${id}: ${request.stage} ended`);
        return { ...result, output: `${result.output}, seen by ${id}` };
      },
      beforeCompletion: async (output) => {
        calls.push(`${id}: completion`);
        await context.effect('workflow', { workflowId: 'remember', adapter: id, input: output });
      },
    };
  },
});

/** Answers everything that the extension and one stage need. */
async function completed(run: SimulatedRun, id: string): Promise<void> {
  await run.answer('memory.recall', 'runtime.memory.recall.completed', {
    namespace: id,
    recordIds: ['r'],
    context: 'on Fridays',
  });
  await run.plan(['execute']);
  await run.complete();
  await run.answer('workflow', 'runtime.workflow.completed', { workflowId: 'remember', adapter: id });
}

describe('an extension of pipeline/2', () => {
  test('has its steps before the plan, around preparations and stages, and before the completion', async () => {
    const calls: string[] = [];
    const run = new SimulatedRun(pipeline2([recalling('memory/1', calls)]));
    await run.submit();
    expect(run.types).not.toContain('runtime.plan.requested');
    await completed(run, 'memory/1');
    expect(calls).toEqual([
      'memory/1: plan',
      'memory/1: prepare execute',
      'memory/1: stage execute',
      'memory/1: execute ended',
      'memory/1: completion',
    ]);
    expect(run.requested('runtime.prepare.requested').context).toEqual({ 'memory/1': 'on Fridays' });
    expect(run.requested('runtime.workflow.requested').input).toBe('done, seen by memory/1');
    expect(run.requested('runtime.request.completed').output).toBe('done, seen by memory/1');
  });

  test('the first one is the outermost', async () => {
    const calls: string[] = [];
    const only = ({ id, start }: PipelineExtension): PipelineExtension => ({
      id,
      start: (...args) => defined({ aroundStage: start(...args).aroundStage }),
    });
    const run = new SimulatedRun(pipeline2([only(recalling('a', calls)), only(recalling('b', calls))]));
    await run.submit();
    await run.plan(['execute']);
    await run.complete();
    expect(calls).toEqual(['a: stage execute', 'b: stage execute', 'b: execute ended', 'a: execute ended']);
    expect(run.requested('runtime.request.completed').output).toBe('done, seen by b, seen by a');
  });

  test('its effects are requested once, although its owner crashes before each answer', async () => {
    const calm = new SimulatedRun(pipeline2([recalling('memory/1')]));
    await calm.submit();
    await completed(calm, 'memory/1');
    const run = new SimulatedRun(pipeline2([recalling('memory/1')]));
    const { send } = run;
    run.send = (type, fields) => {
      run.crash();
      return send.call(run, type, fields);
    };
    await run.submit();
    await completed(run, 'memory/1');
    expect(run.published.map(({ body }) => body)).toEqual(calm.published.map(({ body }) => body));
  });

  test('does not apply to a run that started before it existed', async () => {
    const run = new SimulatedRun(pipeline2([]));
    await run.submit();
    run.process = pipeline2([recalling('memory/1')]);
    run.crash();
    await run.plan(['execute']);
    await run.complete();
    expect(run.types).toContain('runtime.request.completed');
    expect(run.types).not.toContain('runtime.workflow.requested');
  });
});
