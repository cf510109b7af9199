import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type AdapterEvent, defined } from '@reins/contracts';
import type { HarnessExecution, HarnessResult, HarnessRun } from '../contract.ts';
import { listRunProcesses } from '../process/process-table.ts';
import type { ConformanceSubject, Scenario } from './subject.ts';

/** One execution of a case, and its adapter events so far. */
export interface DrivenRun {
  readonly run: HarnessRun;
  readonly execution: HarnessExecution;
  readonly events: readonly AdapterEvent[];
  /** Resolves with the first event of this phase. */
  waitForEvent(phase: string): Promise<AdapterEvent>;
  /** The result, the number of processes that are still alive, and the number of events after the result. */
  result(): Promise<{ readonly result: HarnessResult; readonly leftover: number; readonly late: number }>;
}

export type RunChanges = Partial<HarnessRun>;

/** Long enough for every executor on a machine that is busy. */
export const QUIET = { totalMs: 300_000, startupMs: 120_000, idleMs: 120_000, noProgressMs: 120_000 };

/** Starts the subject with a scenario, in new folders. */
export async function drive(
  subject: ConformanceSubject,
  scenario: Scenario,
  text: string,
  changes: RunChanges = {},
): Promise<DrivenRun> {
  const run = await newRun(subject, scenario, text, changes);
  const events: AdapterEvent[] = [];
  const waiting: { phase: string; resolve: (event: AdapterEvent) => void }[] = [];
  const execution = subject.adapter.start(run, (event) => {
    events.push(event);
    for (const { phase, resolve } of waiting) if (phase === event.phase) resolve(event);
  });
  return {
    run,
    execution,
    events,
    waitForEvent: (phase) =>
      new Promise((resolve) => {
        const found = events.find((event) => event.phase === phase);
        if (found) resolve(found);
        else waiting.push({ phase, resolve });
      }),
    result: async () => {
      const result = await execution.result;
      const count = events.length;
      const leftover = (await listRunProcesses()).filter(({ token }) => token === run.runToken).length;
      return { result, leftover, late: events.length - count };
    },
  };
}

async function newRun(
  subject: ConformanceSubject,
  scenario: Scenario,
  text: string,
  changes: RunChanges,
): Promise<HarnessRun> {
  const root = await subject.folder();
  const [workDir, homeDir, sessionDir] = ['work', 'home', 'session'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  await Promise.all([workDir, homeDir, sessionDir].map((folder) => mkdir(folder)));
  const endpoint = subject.endpoint(scenario);
  const instruction = subject.instruction(scenario, text);
  return {
    effectId: 'effect-1',
    attempt: 1,
    stage: 'execute',
    runToken: randomUUID(),
    workDir,
    homeDir,
    sessionDir,
    instruction,
    prompt: instruction,
    systemPrompt: 'You are tested.',
    contextMessages: [],
    providerId: 'scripted',
    modelId: 'scripted-model',
    endpoint,
    thinkingValue: null,
    mcpServers: [],
    attachments: [],
    deadlines: QUIET,
    environment: {
      settings: subject.settings ?? {},
      path: process.env.PATH ?? '',
      providers: { scripted: endpoint },
      ...defined({ harnessesDir: subject.harnessesDir, sandbox: subject.sandbox }),
    },
    ...changes,
  };
}
