import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { defined, type JsonObject } from '@reins/contracts';
import { type Answer, Workbench } from './testing/command-line.ts';

/** Run directories of three versions of babysitter, and the recorded output of that version for each. */
const ARCHIVE = fileURLToPath(new URL('../../../../libs/replay/testdata/babysitter-runs.tar.gz', import.meta.url));
const DEVIATIONS = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../testdata/deviations.json', import.meta.url)), 'utf8'),
) as { readonly places: readonly { fixtures: readonly string[]; at: string; instead: unknown }[] };

const bench = await Workbench.make();
execFileSync('tar', ['-xzf', ARCHIVE, '-C', bench.root]);
const folder = join(bench.root, 'babysitter');
const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'expected.json')));
afterAll(() => bench.remove());

interface Expected {
  readonly runStatus: { readonly exitCode: number; readonly json?: JsonObject };
  readonly runEvents: { readonly exitCode: number; readonly events?: readonly JsonObject[] };
  readonly taskList: { readonly exitCode: number; readonly json?: JsonObject };
  readonly iterate: JsonObject;
  readonly cliIterate: { readonly exitCode: number; readonly status?: string; readonly reason?: string };
  readonly afterRepair?: { readonly summary: JsonObject; readonly iterate: { status: string; pending?: number } };
}

/** Copies the directory, because an iteration writes. */
function copyOf(name: string, purpose: string): { readonly run: string; readonly expected: Expected } {
  const copy = join(bench.root, purpose, name);
  cpSync(join(folder, name), copy, { recursive: true });
  const [runId = ''] = readdirSync(join(copy, 'runs')).filter((entry) => !entry.includes('.'));
  const expected = JSON.parse(readFileSync(join(copy, 'expected.json'), 'utf8')) as Expected;
  return { run: join(copy, 'runs', runId), expected };
}

/** The expected output: that of babysitter, or a listed correction. */
function expectedValue<T>(name: string, at: string, recorded: T): T {
  const deviation = DEVIATIONS.places.find(
    (place) =>
      place.at === at && place.fixtures.some((pattern) => new RegExp(`^${pattern.replace('*', '.*')}$`).test(name)),
  );
  return deviation ? (deviation.instead as T) : recorded;
}

const answered = ({ exit, out }: Answer, json: JsonObject | undefined) => {
  expect(exit).toBe(json ? 0 : 1);
  return json ? JSON.parse(out) : undefined;
};

describe.each(names)('%s', (name) => {
  test('run:status, run:events and task:list are as expected', async () => {
    const { run, expected } = copyOf(name, 'read');
    const { json } = expected.runStatus;
    const status = answered(await bench.reins(['run:status', run]), json);
    if (json) expect(status).toMatchObject(json);
    const events = await bench.reins(['run:events', run]);
    expect(events.exit).toBe(expected.runEvents.exitCode);
    if (expected.runEvents.events) {
      const shown = (events.json.events as JsonObject[]).map(({ seq, ulid, type, data }) => {
        const { effectId, status: result } = data as JsonObject;
        return {
          seq,
          ulid,
          type,
          ...defined({ effectId, status: result }),
        };
      });
      expect(shown).toEqual(expected.runEvents.events);
    }
    const tasks = await bench.reins(['task:list', run]);
    expect(tasks.exit).toBe(expected.taskList.exitCode);
    if (expected.taskList.json) expect(tasks.json).toEqual(expected.taskList.json);
  });

  test('run:iterate returns the same', async () => {
    const { run, expected } = copyOf(name, 'iterate');
    const { iterate, cliIterate } = expected;
    const answer = await bench.reins(['run:iterate', run]);
    expect(answer.exit).toBe(expectedValue(name, 'cliIterate.exitCode', cliIterate.exitCode));
    if (iterate.thrown) return;
    expect(answer.json).toMatchObject({ status: cliIterate.status, reason: cliIterate.reason });
    expect(answer.json.metadata).toMatchObject(iterate.metadata as JsonObject);
    if (iterate.output !== undefined) expect(answer.json.output).toEqual(iterate.output);
    if (iterate.nextActions) expect(answer.json.nextActions).toMatchObject(iterate.nextActions as JsonObject[]);
    if (iterate.error) expect(answer.json.error).toMatchObject(iterate.error as JsonObject);
  });

  test('recorded runs are replayed decision by decision, and corrupted ones are repaired', async () => {
    const { run, expected } = copyOf(name, 'replay');
    if (expected.afterRepair) {
      const { journal } = await bench.json(['run:repair-journal', run]);
      expect(journal).toEqual(expected.afterRepair.summary);
      const again = await bench.json(['run:iterate', run]);
      expect(again).toMatchObject({
        status: expected.afterRepair.iterate.status,
        count: expected.afterRepair.iterate.pending,
      });
    }
    if (expected.iterate.thrown && !expected.afterRepair) return;
    // The end of a run is not compared with the record of babysitter.
    const { tasks } = await bench.json(['task:list', run]);
    const decisions = (tasks as JsonObject[]).length;
    expect(await bench.json(['replay', run])).toMatchObject({ identical: true, decisions });
  });
});

/* Keys of 0.0.187 are numbers in the order of calls. */
test.each(names.filter((name) => /^(waiting|drift)/.test(name)))('%s continues to its end', async (name) => {
  const { run } = copyOf(name, 'continue');
  for (let guard = 0; guard < 20; guard += 1) {
    const { status, nextActions } = await bench.json(['run:iterate', run]);
    if (status === 'completed') break;
    for (const { effectId } of nextActions as JsonObject[])
      await bench.json(['task:post', run, String(effectId), '--status', 'ok', '--value-inline', '{"posted":true}']);
  }
  expect(await bench.json(['run:status', run])).toMatchObject({ state: 'completed', pendingByKind: {} });
  expect(await bench.json(['replay', run, '--verify'])).toMatchObject({ identical: true, verified: true });
  expect(existsSync(join(run, 'journal.babysitter'))).toBe(true);
});
