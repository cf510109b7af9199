import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { type Entry, foldRun, verifyEntries } from '@reins/journal';
import { Coroutine } from '../engine/coroutine.ts';
import { CORPUS } from './corpus.ts';
import { RUN } from './run-driver.ts';

const ROOT = fileURLToPath(new URL('../../testdata/journals', import.meta.url));
const recorded = readdirSync(ROOT).flatMap((version) =>
  readdirSync(join(ROOT, version)).map((file) => ({ version, name: file.replace('.json', '') })),
);

describe('journals that earlier builds wrote', () => {
  test.each(recorded)('$version/$name is valid and replays to its end', async ({ version, name }) => {
    const entries = JSON.parse(readFileSync(join(ROOT, version, `${name}.json`), 'utf8')) as Entry[];
    expect(verifyEntries(entries, RUN)).toEqual([]);
    const { process } = CORPUS[name] as (typeof CORPUS)[string];
    const { turn } = await Coroutine.replay(process, { run: RUN, entries });
    expect(turn.divergence).toBeUndefined();
    expect(turn.drafts).toEqual([]);
    expect(turn.state).toBe(foldRun(RUN, entries).end?.status ?? 'cancelled');
  });

  test.each(recorded)('$version/$name: every prefix of it replays', async ({ version, name }) => {
    const entries = JSON.parse(readFileSync(join(ROOT, version, `${name}.json`), 'utf8')) as Entry[];
    const { process } = CORPUS[name] as (typeof CORPUS)[string];
    for (let length = 1; length < entries.length; length += 1) {
      const { turn } = await Coroutine.replay(process, { run: RUN, entries: entries.slice(0, length) });
      expect(turn.divergence).toBeUndefined();
    }
  });

  test('every process of the corpus is recorded', () => {
    expect(new Set(recorded.map(({ name }) => name))).toEqual(new Set(Object.keys(CORPUS)));
  });
});
