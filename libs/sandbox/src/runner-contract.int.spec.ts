import { afterAll, describe, test } from '@jest/globals';
import { CONTRACT_MODULE, ComparedRun, generated, type Operation, processRunnerContract } from '@reins/replay/contract';
import fc from 'fast-check';
import { Sandbox } from './sandbox.ts';

const sandbox = new Sandbox();
afterAll(() => sandbox.close());
const runner = (exportName: string) => sandbox.process({ ...CONTRACT_MODULE, exportName });

describe('a process in a sandbox', () => {
  test.each(processRunnerContract)('$name', ({ check }) => check(runner));

  test('behaves as it does outside of a sandbox', async () => {
    await fc.assert(
      fc.asyncProperty(
        program(3),
        fc.array(fc.nat(7), { minLength: 1, maxLength: 12 }),
        async (operations, choices) => {
          const run = new ComparedRun(await runner('generated'), generated);
          try {
            await run.start(operations as never);
            for (const choice of choices) {
              await run.runSteps();
              const pending = [...run.state.pending];
              const effectId = pending[choice % Math.max(1, pending.length)];
              if (run.turn.state !== 'waiting' || effectId === undefined) break;
              const error = { code: 'broken', message: 'it broke' };
              const how =
                choice === 0 ? ({ status: 'error', error } as const) : ({ status: 'ok', value: choice } as const);
              await run.feed({ type: 'EFFECT_RESOLVED', data: { effectId, attempt: 1, ...how } });
            }
            await run.replays();
          } finally {
            await run.close();
          }
        },
      ),
      { numRuns: 4 },
    );
  });
});

/** A process as data. */
function program(depth: number): fc.Arbitrary<readonly Operation[]> {
  const nested = fc.array(depth > 1 ? program(depth - 1) : fc.constant([]), { minLength: 1, maxLength: 3 });
  const operation = fc.oneof<fc.Arbitrary<Operation>[]>(
    fc.record({ does: fc.constant('ask' as const), n: fc.nat(3) }),
    fc.record({ does: fc.constant('ask' as const), n: fc.nat(3), key: fc.constantFrom('a', 'b', 'c') }),
    fc.constant({ does: 'draw' as const }),
    fc.record({ does: fc.constant('say' as const), text: fc.string({ maxLength: 5 }) }),
    fc.record({ does: fc.constant('step' as const), n: fc.nat(9) }),
    fc.record({ does: fc.constant('patch' as const), id: fc.constantFrom('p', 'q') }),
    fc.record({ does: fc.constantFrom('parallel' as const, 'race' as const), parts: nested }),
  );
  return fc.array(operation, { minLength: depth, maxLength: 6 });
}
