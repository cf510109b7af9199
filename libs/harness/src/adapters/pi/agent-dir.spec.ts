import { expect, test } from '@jest/globals';
import type { HarnessRun } from '../../contract.ts';
import { PI_TOOL_NAMES, piArguments, piTools } from './agent-dir.ts';

const run = (tools?: readonly string[]): HarnessRun =>
  ({
    homeDir: '/h',
    sessionDir: '/s',
    modelId: 'm',
    systemPrompt: '',
    thinkingValue: null,
    tools,
  }) as unknown as HarnessRun;
const NONE = { names: [], args: [], environment: {} };

test('pi has the tools of the capability manifest, under its own names', () => {
  expect(piTools(run(['read', 'glob', 'list', 'todoread']))).toEqual(['read', 'find', 'ls']);
  expect(piTools(run())).toContain('bash');
});

test('every name that pi is said to know is that of a tool that it starts with, and no tool is left out', () => {
  for (const name of PI_TOOL_NAMES) expect(piTools(run([name]))).toHaveLength(1);
  expect(piTools(run(PI_TOOL_NAMES))).toEqual(['read', 'bash', 'edit', 'write', 'grep', 'find', 'ls']);
});

test('a tool that is not in the map of a run is not there to be called', () => {
  const onboarding = piArguments(run(['read', 'grep', 'glob', 'list', 'question', 'skill']), NONE);
  expect(onboarding[onboarding.indexOf('--tools') + 1]).toBe('read,grep,find,ls');
  expect(piArguments(run([]), NONE)).toContain('--no-tools');
});
