import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readStages } from './stage-settings.ts';

describe('the stages of a runtime profile', () => {
  test('are runtime ids or tables', () => {
    const table = {
      runtime: 'codex',
      model: 'openai/gpt-5',
      thinking: 'high',
      timeout: '20m',
      retries: 0,
      on_timeout: 'fallback',
      fallback: ['pi', { runtime: 'openai_chat', model: 'openai/gpt-5-mini' }],
    };
    expect(readStages({ interview: 'pi', execute: table })).toEqual({
      runtimes: { interview: 'pi', execute: 'codex' },
      settings: {
        execute: {
          model: 'openai/gpt-5',
          thinking: 'high',
          timeoutMs: 1_200_000,
          retries: 0,
          onTimeout: 'fallback',
          fallback: [{ runtime: 'pi' }, { runtime: 'openai_chat', model: 'openai/gpt-5-mini' }],
        },
      },
      problems: [],
    });
  });

  test('are rejected with all problems, each with its path', () => {
    const { problems } = readStages({
      exectue: 'pi',
      interview: 'not a runtime',
      evaluate: 7,
      execute: {
        runtime: 'codex',
        modell: 'x',
        timeout: 'soon',
        retries: -1,
        on_timeout: 'ignore',
        fallback: ['pi', 'no runtime', { runtime: 'pi', timeout: '1m' }],
      },
    });
    expect(problems.map(({ path, hint }) => [path?.replace('runtimeProfile.stages.', ''), hint])).toEqual([
      ['exectue', 'Did you mean execute?'],
      ['interview', undefined],
      ['evaluate', undefined],
      ['execute.modell', 'Did you mean model?'],
      ['execute.timeout', 'Write a duration from 1s to 168h, such as 20m.'],
      ['execute.retries', undefined],
      ['execute.on_timeout', undefined],
      ['execute.fallback.1', undefined],
      ['execute.fallback.2.timeout', expect.stringMatching(/^Use one of runtime, model, thinking\.$/)],
    ]);
  });

  test('need a fallback for on_timeout: fallback', () => {
    const { problems } = readStages({ execute: { runtime: 'pi', on_timeout: 'fallback' } });
    expect(problems).toMatchObject([
      { path: 'runtimeProfile.stages.execute.on_timeout', hint: 'Add fallback: [<runtime>].' },
    ]);
  });

  test.each([
    ['999ms', undefined],
    ['1s', 1000],
    [1500, 1500],
    ['90s', 90_000],
    ['168h', 604_800_000],
    ['169h', undefined],
    ['1.5h', undefined],
    ['', undefined],
    [-5, undefined],
  ])('have a timeout of %p', (timeout, timeoutMs) => {
    const { settings, problems } = readStages({ execute: { runtime: 'pi', timeout } });
    expect(settings.execute?.timeoutMs).toBe(timeoutMs);
    expect(problems).toHaveLength(timeoutMs === undefined ? 1 : 0);
  });

  test('never fail with an exception, whatever is written', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('execute', 'reflect', 'x'), fc.jsonValue()), (stages) => {
        const { runtimes, problems } = readStages(stages);
        for (const stage of Object.keys(stages)) {
          const isRejected = problems.some(({ path }) => path?.startsWith(`runtimeProfile.stages.${stage}`));
          expect(stage in runtimes && !isRejected).toBe(!isRejected);
        }
      }),
    );
  });
});
