import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AdapterEvent } from '@reins/contracts';
import type { HarnessExecution, HarnessResult, HarnessRun } from '../contract.ts';
import { runProcesses } from '../process/process-table.ts';
import type { ConformanceSubject, Scenario } from './subject.ts';

/** One execution of a case, and its signals so far. */
export interface DrivenRun {
  readonly run: HarnessRun;
  readonly execution: HarnessExecution;
  readonly signals: readonly AdapterEvent[];
  /** Resolves with the first signal of this phase. */
  waitForSignal(phase: string): Promise<AdapterEvent>;
  /** The result, the number of processes that are still alive, and the number of signals after the result. */
  result(): Promise<{ readonly result: HarnessResult; readonly leftover: number; readonly late: number }>;
}

export type RunChanges = Partial<HarnessRun>;

const DEADLINES = { totalMs: 60_000, startupMs: 30_000, idleMs: 30_000, noProgressMs: 30_000 };

/** Starts the subject with a scenario, in new folders. */
export async function drive(
  subject: ConformanceSubject,
  scenario: Scenario,
  text: string,
  changes: RunChanges = {},
): Promise<DrivenRun> {
  const run = await newRun(subject, scenario, text, changes);
  const signals: AdapterEvent[] = [];
  const waiting: { phase: string; resolve: (signal: AdapterEvent) => void }[] = [];
  const execution = subject.adapter.start(run, (signal) => {
    signals.push(signal);
    for (const { phase, resolve } of waiting) if (phase === signal.phase) resolve(signal);
  });
  return {
    run,
    execution,
    signals,
    waitForSignal: (phase) =>
      new Promise((resolve) => {
        const found = signals.find((signal) => signal.phase === phase);
        if (found) resolve(found);
        else waiting.push({ phase, resolve });
      }),
    result: async () => {
      const result = await execution.result;
      const count = signals.length;
      const leftover = (await runProcesses()).filter(({ token }) => token === run.runToken).length;
      return { result, leftover, late: signals.length - count };
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
    deadlines: DEADLINES,
    environment: {
      settings: subject.settings ?? {},
      path: process.env.PATH ?? '',
      providers: { scripted: endpoint },
    },
    ...changes,
  };
}
