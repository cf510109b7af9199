import type { Scenario } from './subject.ts';

const NO_MODEL = 'it calls no model';

const NO_SHELL = 'it has no shell';
const SHELL: readonly Scenario[] = ['shell', 'parallel', 'sleep'];
const MODEL: readonly Scenario[] = [
  ...(['e400', 'e401', 'e429', 'cut', 'garbage', 'mcp', 'question'] as const),
  ...(['think', 'system', 'recall', 'offered', 'separators', 'large'] as const),
];

const without = (scenarios: readonly Scenario[], reason: string): Partial<Record<Scenario, string>> =>
  Object.fromEntries(scenarios.map((name) => [name, reason]));

/** The built-in runtimes, each with the scenarios that do not apply to it and the reason. */
export const EXCEPTIONS: Readonly<Record<string, Partial<Record<Scenario, string>>>> = {
  codex: {},
  opencode: {},
  hermes: {},
  litellm: without(SHELL, NO_SHELL),
  openai_chat: without(SHELL, NO_SHELL),
  pi: {},
  echo: { ...without(MODEL, NO_MODEL), ...without(SHELL, NO_SHELL) },
};

/** The runtimes that this repository cannot install, so that no test of it proves them. Users can run the suite. */
export const UNPROVEN: readonly string[] = ['claude_code'];
