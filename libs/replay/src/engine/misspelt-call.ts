import { nearest } from '@reins/contracts';
import type { ProcessContext } from '../process-context.ts';

/** The functions of the context. */
const CALLS = {
  effect: true,
  task: true,
  breakpoint: true,
  sleepUntil: true,
  orchestratorTask: true,
  hook: true,
  signal: true,
  step: true,
  child: true,
  subprocess: true,
  now: true,
  random: true,
  uuid: true,
  log: true,
  halt: true,
  continueAsNew: true,
  onCleanup: true,
  patched: true,
  scope: true,
  shield: true,
} as const satisfies Record<Exclude<keyof ProcessContext, 'runId' | 'request' | 'parallel'>, true>;

/** The message of V8 for a call of a member that does not exist. */
const NOT_A_FUNCTION = /^(\w+)\.(\w+) is not a function$/;

/** A hint for an error of a process that calls a misspelled function of its context; undefined for other errors. */
export function misspeltCallHint(message: string): string | undefined {
  const [, receiver, name] = NOT_A_FUNCTION.exec(message) ?? [];
  const meant = name === undefined ? undefined : nearest(name, Object.keys(CALLS));
  return meant === undefined || meant === name ? undefined : `Did you mean ${receiver}.${meant}?`;
}
