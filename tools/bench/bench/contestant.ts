/**
 * The Reins contestant of `npm run bench -- run --peers`: short requests over HTTP. The parent process sends `{requests, open}` and gets the
 * time that they took, in milliseconds.
 */
import { startReins } from './system.ts';

const { client, stop } = await startReins();
await client.upload();

process.on('message', async ({ requests, open }: { readonly requests: number; readonly open: number }) => {
  const since = performance.now();
  let submitted = 0;
  const worker = async (): Promise<void> => {
    while (submitted < requests) {
      submitted += 1;
      await client.complete();
    }
  };
  await Promise.all(Array.from({ length: open }, worker));
  process.send?.({ ms: performance.now() - since });
});
process.once('disconnect', () => stop().finally(() => process.exit(0)));
process.send?.({ ready: true });
