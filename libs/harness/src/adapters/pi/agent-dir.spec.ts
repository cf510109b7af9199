import { expect, test } from '@jest/globals';
import type { HarnessRun } from '../../contract.ts';
import { piArguments, piTools } from './agent-dir.ts';

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

test('a tool that is not in the map of a run is not there to be called', () => {
  const onboarding = piArguments(run(['read', 'grep', 'glob', 'list', 'question', 'skill']), NONE);
  expect(onboarding[onboarding.indexOf('--tools') + 1]).toBe('read,grep,find,ls');
  expect(piArguments(run([]), NONE)).toContain('--no-tools');
});
