import { expect, test } from '@jest/globals';
import { chooseRuntime } from './pipeline-inputs.ts';

const profile = { default: 'pi', stages: { evaluate: 'openai_chat' }, workspaceMayUse: ['codex'] } as const;

test('the request chooses the runtime, then the workspace if permitted, then the installation', () => {
  const wanted = { default: 'hermes', stages: { execute: 'codex', evaluate: 'hermes' } };
  const chosen = (stages: object) =>
    (['execute', 'evaluate', 'reflect'] as const).map((stage) => {
      const { runtimeId, runtimeSource } = chooseRuntime(stage, { stages, profile }, wanted);
      return `${stage} ${runtimeId} ${runtimeSource}`;
    });
  expect(chosen({})).toEqual(['execute codex stage', 'evaluate openai_chat stage', 'reflect pi default']);
  expect(chosen({ execute: 'echo' })[0]).toBe('execute echo request');
  expect(chooseRuntime('evaluate', { stages: {}, profile }, { default: 'codex' }).runtimeId).toBe('codex');
});
