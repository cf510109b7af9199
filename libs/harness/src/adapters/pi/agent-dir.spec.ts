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

test('maps the tools of the capability manifest to the names of pi', () => {
  expect(piTools(run(['read', 'glob', 'list', 'todoread']))).toEqual(['read', 'find', 'ls']);
  expect(piTools(run())).toContain('bash');
});

test('PI_TOOL_NAMES contains a name for every tool of pi, and no other names', () => {
  for (const name of PI_TOOL_NAMES) expect(piTools(run([name]))).toHaveLength(1);
  expect(piTools(run(PI_TOOL_NAMES))).toEqual(['read', 'bash', 'edit', 'write', 'grep', 'find', 'ls']);
});

test('omits tools that the run does not allow', () => {
  const onboarding = piArguments(run(['read', 'grep', 'glob', 'list', 'question', 'skill']), NONE);
  expect(onboarding[onboarding.indexOf('--tools') + 1]).toBe('read,grep,find,ls');
  expect(piArguments(run([]), NONE)).toContain('--no-tools');
});
