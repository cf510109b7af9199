import { expect, test } from '@jest/globals';
import { compileWorkspace } from '@reins/workspace-plan';
import { ignoredRuntimes } from './ignored-runtimes.ts';

const INSTALLATION = { default: 'openai_chat', stages: { execute: 'pi' }, workspaceMayUse: ['echo'] };

const warningsOf = (profile: string) =>
  ignoredRuntimes(
    compileWorkspace({
      workspaceId: 'w',
      workspaceYaml: `agents: {id: a, model: openai/m}\nmcp_registry: {servers: {}}\nruntime_profile: ${profile}\n`,
      references: { 'AGENTS.md': 'Be kind.' },
    }),
    INSTALLATION,
  ).map(({ path, message }) => [path, message]);

test('a runtime that the installation does not permit is reported with the stage and the runtime that it gets', () => {
  expect(warningsOf('{stages: {execute: codex, evaluate: codex}}')).toEqual([
    [
      'runtime_profile.stages.execute',
      'the settings of this installation do not permit runtime codex: execute runs on pi',
    ],
    [
      'runtime_profile.stages.evaluate',
      'the settings of this installation do not permit runtime codex: evaluate runs on openai_chat',
    ],
  ]);
});

test('the default of a workspace is reported once', () => {
  expect(warningsOf('{default: pi, stages: {interview: echo}}')).toEqual([
    [
      'runtime_profile.default',
      'the settings of this installation do not permit runtime pi: evaluate runs on openai_chat, reflect runs on openai_chat',
    ],
  ]);
});

test('a permitted runtime, and the one that the installation uses anyway, are not reported', () => {
  expect(warningsOf('{default: openai_chat, stages: {execute: pi, interview: echo}}')).toEqual([]);
});
