/**
 * Measures the journal and blob sizes of a run with 1,000 effects. Each result has 100 KB, like a model's answer, and
 * occurs twice: `npm run bench -- large-values`.
 */
import { OwnerBench } from './owner.ts';

const EFFECTS = 1_000;
const DISTINCT = EFFECTS / 2;
const RESULT_BYTES = 100_000;

const bench = await OwnerBench.start({
  reader: async (context) => {
    let length = 0;
    for (let n = 0; n < EFFECTS; n += 1)
      length += (await context.step('answer', () => String(n % DISTINCT).padStart(RESULT_BYTES, 'x'))).length;
    return length;
  },
});

const bytesOf = async (stream: string): Promise<number> => (await bench.bus.jsm.streams.info(stream)).state.bytes;

const [journalBefore, blobsBefore] = await Promise.all([bytesOf('JOURNAL'), bytesOf('OBJ_blobs')]);
const startedAt = performance.now();
await bench.submitUntil('runtime.request.completed', ['large'], 'reader', null);
const seconds = (performance.now() - startedAt) / 1000;
const [journal, blobs] = await Promise.all([bytesOf('JOURNAL'), bytesOf('OBJ_blobs')]);
const result = {
  effects: EFFECTS,
  resultBytes: EFFECTS * RESULT_BYTES,
  journalBytes: journal - journalBefore,
  blobBytes: blobs - blobsBefore,
  effectsPerSecond: Math.round(EFFECTS / seconds),
};
console.log(JSON.stringify(result, null, process.argv.includes('--json') ? 0 : 2));
await bench.stop();
process.exit(0);
