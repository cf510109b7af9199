/**
 * Short requests over HTTP as one contestant among others: asked by its parent process, `{requests, open}`, it says how many milliseconds they took. For
 * `npm run bench -- run --peers`.
 */
import { startReins } from './system.ts';

const { client, stop } = await startReins();
await client.upload();

process.on('message', async ({ requests, open }: { readonly requests: number; readonly open: number }) => {
  const begun = performance.now();
  let taken = 0;
  const lane = async (): Promise<void> => {
    while (taken < requests) {
      taken += 1;
      await client.complete();
    }
  };
  await Promise.all(Array.from({ length: open }, lane));
  process.send?.({ ms: performance.now() - begun });
});
process.once('disconnect', () => stop().finally(() => process.exit(0)));
process.send?.({ ready: true });
