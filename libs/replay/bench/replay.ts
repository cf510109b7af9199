/**
 * Measures the replay of a journal and the steps of loading it: `node --conditions=reins-source bench/replay.ts
 * [effects] [--json]`
 */
import { decodeCommit, encodeCommit, foldRun, verifyEntries } from '@reins/journal';
import { Coroutine } from '../src/index.ts';
import { type Measure, measure, print, sizes } from './measure.ts';
import { RUN, recorded, sequential } from './recorded-run.ts';

/** @param effects how many effects the run has; it has twice as many entries */
export async function replayBenchmark(effects = 3000): Promise<Measure[]> {
  const definition = sequential(effects);
  const { entries, commits } = await recorded(definition);
  const bytes = commits.map((commit) => encodeCommit(commit));
  const replay = () => Coroutine.replay(definition, { run: RUN, entries });
  const load = async () => {
    const loaded = bytes.flatMap((commit) => [...decodeCommit(commit).entries]);
    if (verifyEntries(loaded, RUN).length > 0) throw new Error('the journal is not whole');
    foldRun(RUN, loaded);
    const { turn } = await Coroutine.replay(definition, { run: RUN, entries: loaded });
    if (turn.state !== 'completed') throw new Error(`the replay is ${turn.state}`);
  };
  return [
    await measure(`replay of ${entries.length} entries`, entries.length, replay),
    await measure('verification', entries.length, () => verifyEntries(entries, RUN)),
    await measure('fold', entries.length, () => foldRun(RUN, entries)),
    await measure('decoding', entries.length, () => bytes.map((commit) => decodeCommit(commit))),
    await measure('takeover: bytes to a live process', entries.length, load),
  ];
}

if (process.argv[1] === import.meta.filename) print(await replayBenchmark(sizes[0]));
