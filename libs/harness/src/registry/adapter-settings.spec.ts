import { describe, expect, test } from '@jest/globals';
import { BUILT_IN_ADAPTERS, createRegistry, echoAdapter } from '../index.ts';
import { adapterSettingsProblems } from './adapter-settings.ts';

const registry = createRegistry(BUILT_IN_ADAPTERS);
const problemsOf = (harness: Record<string, unknown>) =>
  adapterSettingsProblems(registry, harness).map(({ code, path, message, hint }) => [
    code,
    path,
    `${message}. ${hint}`,
  ]);

describe('the settings of adapters', () => {
  test('that are documented have no problem', () => {
    expect(
      problemsOf({
        pi: { command: 'pi', retries: 0, baseDelayMs: 1, contextWindow: 1_000, maxOutputTokens: 100, idleMs: 5 },
        openai_chat: { maxSteps: 1, maxOutputTokens: 0, retries: 1, baseDelayMs: 1, maxDelayMs: 1, toolMs: 9 },
      }),
    ).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, string, RegExp]>([
    ['a name with a typing error', { comand: 'pi' }, 'harness.pi.comand', /unknown setting .*Did you mean command\?/],
    ['another name', { quux: 1 }, 'harness.pi.quux', /Use one of command, .*, toolMs\.$/],
    ['a list as the command', { command: ['/bin/echo'] }, 'harness.pi.command', /must be a string/],
    ['a text as a number', { retries: '2' }, 'harness.pi.retries', /must be a whole number of 0 or more/],
    ['a negative number', { retries: -1 }, 'harness.pi.retries', /0 or more/],
    ['a limit of zero', { idleMs: 0 }, 'harness.pi.idleMs', /1 or more/],
  ])('%s is a problem', (_, settings, path, text) => {
    expect(problemsOf({ pi: settings })).toEqual([['settings_invalid', path, expect.stringMatching(text)]]);
  });

  test('every problem is reported at once, also those of unknown runtimes', () => {
    expect(problemsOf({ pj: {}, pi: { retries: -1, comand: 'x' }, openai_chat: 'x' }).map(([, path]) => path)).toEqual([
      'harness.pj',
      'harness.pi.retries',
      'harness.pi.comand',
      'harness.openai_chat',
    ]);
  });

  test('of an adapter that declares none are its own', () => {
    const own = createRegistry([{ ...echoAdapter, runtimeId: 'own', settings: undefined }]);
    expect(adapterSettingsProblems(own, { own: { anything: [1] } })).toEqual([]);
  });
});
