import type { Scenario } from './subject.ts';

const NO_MODEL = 'it calls no model';

/** The built-in runtimes, each with the scenarios that do not apply to it and the reason. */
export const EXCEPTIONS: Readonly<Record<string, Partial<Record<Scenario, string>>>> = {
  codex: {},
  openai_chat: {},
  pi: {},
  echo: { e401: NO_MODEL, cut: NO_MODEL, garbage: NO_MODEL, mcp: NO_MODEL, question: NO_MODEL },
};
