import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BARE_RUN } from '@reins/journal';
import { type LoadedRun, readRun } from '@reins/run-directory';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { entryText } from './entrypoint.ts';
import { openRun, type RunsFlags, rootOf } from './locate.ts';

/** A run without a process, which can be continued. */
interface BareRun {
  readonly runId: string;
  readonly runDir: string;
  readonly processId: string;
  readonly isBareRun: true;
  readonly entrypoint: string | null;
  readonly prompt: string | null;
  readonly createdAt: string;
}

/** Instructions for an agent that orchestrates runs. */
export const TOPICS = {
  'babysit-skill': [
    'Drive a run to its end:',
    '1. If this project has a bare run (below), assign a process: reins run:assign-process <run> --entry <path>#<export>.',
    '   Otherwise create a run: reins run:create --entry <path>#<export> --process-id <id> --inputs <file> --json.',
    '2. reins run:iterate <run> --json. `waiting` lists `nextActions`; `completed` has `output` and `completionProof`.',
    '3. Execute each action as its `taskDef` says. A breakpoint is a question to a person: ask, and post the answer.',
    '4. reins task:post <run> <effectId> --status ok --value-inline <json>, or --status error --error <file>.',
    '5. Repeat from step 2 until the status is not `waiting`.',
  ],
  'process-create': [
    'A process is an exported async function (inputs, ctx) of an ES module. Everything outside the process goes through ctx:',
    'ctx.task, ctx.breakpoint, ctx.sleepUntil, ctx.orchestratorTask, ctx.parallel.all; ctx.now, ctx.random, ctx.uuid replace the clock',
    "and randomness. Tasks: import { defineTask } from '@a5c-ai/babysitter-sdk'; defineTask(id, (args) => ({ kind, title, … })).",
  ],
  orchestrate: [
    'reins run:iterate <run> --json lists the next actions; reins task:list <run> --pending lists them again at any time.',
    'Post one result per effect, with task:post. Cancel what is no longer needed, with task:cancel.',
  ],
  'breakpoint-handling': [
    'A breakpoint waits for a person. Post the answer: --status ok --value-inline \'{"approved":true,"response":"…"}\'.',
    'A rejection is also an answer: {"approved":false,"feedback":"…"}. Do not post an error for it.',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Topic = keyof typeof TOPICS;

/** `reins instructions:<topic>` */
export async function instructions(context: CliContext, topic: Topic, flags: RunsFlags): Promise<ExitCode> {
  const text = TOPICS[topic].join('\n');
  const runs = topic === 'babysit-skill' ? await bareRuns(rootOf(context, flags)) : [];
  if (context.json) {
    const existing = topic === 'babysit-skill' ? { existingRun: runs[0] ?? null, existingRuns: runs } : {};
    printJson(context, { topic, instructions: text, ...existing });
  } else {
    context.out(`${text}\n`);
    for (const { runId, runDir } of runs) context.out(`bare run ${runId} in ${runDir}\n`);
  }
  return EXIT.ok;
}

/** The open runs of this project without a process, newest first. */
export async function bareRuns(root: string): Promise<BareRun[]> {
  if (!existsSync(root)) return [];
  const names = readdirSync(root).filter((name) => existsSync(join(root, name, 'run.json')));
  const found = await Promise.all(names.map((name) => bareRun(join(root, name))));
  return found.flatMap((run) => run ?? []).toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
}

async function bareRun(runDir: string): Promise<BareRun | undefined> {
  const { store, run, metadata } = openRun(runDir);
  const { cwd = process.cwd(), prompt, processId } = metadata;
  const mayBeBare = entryText(metadata) === BARE_RUN && cwd === process.cwd();
  const loaded = mayBeBare ? await readIfValid(store, run) : undefined;
  if (!loaded || loaded.state.end || loaded.state.process.id !== BARE_RUN) return undefined;
  return {
    runId: run.runId,
    runDir,
    processId: typeof processId === 'string' ? processId : BARE_RUN,
    isBareRun: true,
    entrypoint: entryText(metadata),
    prompt: typeof prompt === 'string' ? prompt : null,
    createdAt: loaded.state.createdAt,
  };
}

/** Reads a run; undefined for a corrupted one, which `run:verify` reports. */
async function readIfValid(...[store, run]: Parameters<typeof readRun>): Promise<LoadedRun | undefined> {
  return readRun(store, run).catch(() => undefined);
}
