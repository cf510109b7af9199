import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BARE_RUN } from '@reins/journal';
import { type RunReading, readRun } from '@reins/journal/rundir';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { entryText } from './entrypoint.ts';
import { openRun, type RunsFlags, rootOf } from './locate.ts';

/** A run without a process, which somebody may want to go on with. */
interface BareRun {
  readonly runId: string;
  readonly runDir: string;
  readonly processId: string;
  readonly isBareRun: true;
  readonly entrypoint: string | null;
  readonly prompt: string | null;
  readonly createdAt: string;
}

/** How to work with runs, for an agent that orchestrates them. */
export const TOPICS = {
  'babysit-skill': [
    'Drive a run to its end:',
    '1. With a bare run of this project (below), give it a process: reins run:assign-process <run> --entry <path>#<export>.',
    '   Otherwise create one: reins run:create --entry <path>#<export> --process-id <id> --inputs <file> --json.',
    '2. reins run:iterate <run> --json. `waiting` lists `nextActions`; `completed` has `output` and `completionProof`.',
    '3. Do each action as its `taskDef` says. A breakpoint is a question to a person: ask, and post what was answered.',
    '4. reins task:post <run> <effectId> --status ok --value-inline <json>, or --status error --error <file>.',
    '5. Go on with 2 until the status is not `waiting`.',
  ],
  'process-create': [
    'A process is an exported async function (inputs, ctx) of an ES module. Outside work goes through ctx alone:',
    'ctx.task, ctx.breakpoint, ctx.sleepUntil, ctx.orchestratorTask, ctx.parallel.all; ctx.now, ctx.random, ctx.uuid in place of the clock',
    "and of chance. Tasks: import { defineTask } from '@a5c-ai/babysitter-sdk'; defineTask(id, (args) => ({ kind, title, … })).",
  ],
  orchestrate: [
    'reins run:iterate <run> --json says what is next; reins task:list <run> --pending lists it again at any time.',
    'One result per effect: post it once, with task:post. What is no longer needed: task:cancel.',
  ],
  'breakpoint-handling': [
    'A breakpoint waits for a person. Post what they said: --status ok --value-inline \'{"approved":true,"response":"…"}\'.',
    'A rejection is an answer too: {"approved":false,"feedback":"…"}. Do not post an error for it.',
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

/** Those of this project that have neither a process nor an end, the newest first. */
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
  const reading = mayBeBare ? await readable(store, run) : undefined;
  if (!reading || reading.state.end || reading.state.process.id !== BARE_RUN) return undefined;
  return {
    runId: run.runId,
    runDir,
    processId: typeof processId === 'string' ? processId : BARE_RUN,
    isBareRun: true,
    entrypoint: entryText(metadata),
    prompt: typeof prompt === 'string' ? prompt : null,
    createdAt: reading.state.createdAt,
  };
}

/** One that is corrupt is nobody's to go on with; `run:verify` tells. */
async function readable(...[store, run]: Parameters<typeof readRun>): Promise<RunReading | undefined> {
  return readRun(store, run).catch(() => undefined);
}
