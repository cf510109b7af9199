import assert from 'node:assert/strict';
import type { HarnessResult } from '../contract.ts';
import { type DrivenRun, drive } from './driver.ts';
import type { ConformanceSubject, Scenario } from './subject.ts';

/** One requirement for every adapter. `run` rejects when the adapter does not meet it. */
export interface ConformanceCase {
  readonly name: string;
  /** The behaviour of the model; undefined when no model is called. */
  readonly scenario?: Scenario;
  run(subject: ConformanceSubject): Promise<void>;
}

/** A case with a scenario. */
export const scenario = (name: string, wanted: Scenario, run: ConformanceCase['run']): ConformanceCase => ({
  name,
  scenario: wanted,
  run,
});

/** Returns the result of a run. Asserts that no process is left and that no signal came after the result. */
export async function settled(driven: DrivenRun): Promise<HarnessResult> {
  const { result, leftover, late } = await driven.result();
  assert.equal(leftover, 0, 'processes of the run are still alive');
  assert.equal(late, 0, 'signals came after the result');
  return result;
}

/** Runs a scenario that must fail with this code. */
export async function failsWith(
  subject: ConformanceSubject,
  name: Scenario,
  code: string,
  retryable: boolean,
): Promise<void> {
  const result = await settled(await drive(subject, name, 'Say something.'));
  assert.equal(result.status, 'failed', JSON.stringify(result));
  if (result.status !== 'failed') return;
  assert.deepEqual({ code: result.error.code, retryable: result.retryable }, { code, retryable }, result.error.message);
}

/** Asserts that each call has one result. */
export function checkCalls({ events }: DrivenRun): void {
  const started = events.filter((signal) => signal.phase === 'agent.tool.start').map((signal) => signal.callId);
  const ended = events.filter((signal) => signal.phase === 'agent.tool.result');
  assert.deepEqual(ended.map((signal) => signal.callId).sort(), started.sort());
  for (const signal of ended)
    assert.ok('output' in signal && 'error' in signal, 'a tool result has no output or error');
}
