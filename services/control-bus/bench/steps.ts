/**
 * Measures durable local steps for a comparison with other engines (`npm run bench -- effects --peers`). The parent
 * process sends `{runs, steps}` and receives the duration in milliseconds.
 */
import { OwnerBench } from './owner.ts';

const bench = await OwnerBench.start({
  counter: async (context, { inputs }) => {
    let sum = 0;
    for (let n = 0; n < Number(inputs.input); n += 1) sum += await context.step('add', () => n);
    return sum;
  },
});

let rounds = 0;
process.on('message', async ({ runs, steps }: { readonly runs: number; readonly steps: number }) => {
  rounds += 1;
  const ids = Array.from({ length: runs }, (_, run) => `r${rounds}-${run}`);
  const startedAt = performance.now();
  await bench.submitUntil('runtime.request.completed', ids, 'counter', steps);
  process.send?.({ ms: performance.now() - startedAt });
});
process.once('disconnect', () => bench.stop().finally(() => process.exit(0)));
process.send?.({ ready: true });
