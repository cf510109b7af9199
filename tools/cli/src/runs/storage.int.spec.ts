import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Workbench } from './testing/command-line.ts';

/** File system errors and links in run directories. */
const bench = await Workbench.make();
afterAll(() => bench.remove());

const linear = bench.process('linear', 'return { a: await ctx.task(step, { n: 1 }) };');
const path = (id: string, ...parts: string[]): string => join(bench.runs, id, ...parts);
const create = (id: string, ...args: string[]) =>
  bench.json(['run:create', '--run-id', id, '--entry', linear, ...args]);

describe('a file system error has a code, a path and a hint', () => {
  const failure = (place: unknown) => ({
    exit: 1,
    json: { error: { code: 'storage_failed', path: place, hint: expect.any(String) } },
  });

  test('a file in place of the runs folder', async () => {
    const file = bench.file('file', '');
    expect(await bench.reins(['run:create', '--runs-dir', file])).toMatchObject(failure(expect.stringContaining(file)));
  });

  test('a bundle in a missing folder', async () => {
    await create('bundled');
    const output = join(bench.root, 'nowhere', 'x.json');
    expect(await bench.reins(['journal', 'export', 'bundled', '-o', output])).toMatchObject(failure(output));
  });

  test('a folder in place of run.json', async () => {
    await create('folder');
    rmSync(path('folder', 'run.json'));
    mkdirSync(path('folder', 'run.json'));
    expect(await bench.reins(['run:status', 'folder'])).toMatchObject(failure(path('folder', 'run.json')));
  });
});

test.each([
  ['an option', ['run:create', '--inputs'], '--inputs'],
  ['an argument', ['journal', 'import'], undefined],
  ['a batch', ['compile', '--batch'], undefined],
])('a folder in place of a file is wrong usage, with the reason: %s', async (_, args, option) => {
  const { exit, json } = await bench.reins([...args, bench.root]);
  const message = expect.stringMatching(/cannot read .*: is a folder, not a file \(EISDIR, read\)$/);
  expect([exit, json.error]).toEqual([
    2,
    { code: 'wrong_usage', message, hint: expect.any(String), ...(option && { path: option }) },
  ]);
});

test('a failed creation removes its own files and keeps existing ones', async () => {
  await create('whole');
  await bench.json(['journal', 'export', 'whole', '-o', path('whole', 'bundle.json')]);
  const elsewhere = join(bench.root, 'elsewhere');
  for (const [args, folder] of [
    [['run:create', '--run-id', 'my-run', '--entry', linear], path('my-run')],
    [['fork', 'whole', '--at', '1', '--run-id', 'my-fork'], path('my-fork')],
    [['journal', 'import', path('whole', 'bundle.json'), '--runs-dir', elsewhere], join(elsewhere, 'whole')],
  ] as const) {
    mkdirSync(join(folder, 'process'), { recursive: true });
    // The path of the state folder exists already, as a file.
    const files = ['NOTES.md', join('process', 'main.mjs'), 'state'];
    for (const name of files) writeFileSync(join(folder, name), 'mine');
    expect(await bench.reins(args)).toMatchObject({ exit: 1, json: { error: { code: 'storage_failed' } } });
    expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual([...files, 'process'].toSorted());
    expect(files.map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(['mine', 'mine', 'mine']);
  }
  expect(await bench.reins(['run:create', '--run-id', 'whole'])).toMatchObject({ exit: 1 });
  expect(await bench.reins(['run:verify', 'whole'])).toMatchObject({ exit: 0 });
});

describe('links', () => {
  const link = join(bench.root, 'another', 'place', 'link');
  const iterate = (run: string) => bench.reins(['run:iterate', run]);
  const waiting = { exit: 0, json: { status: 'waiting' } };
  beforeAll(() => {
    mkdirSync(bench.runs, { recursive: true });
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(bench.runs, link);
  });

  test('continues a run through a link to the runs folder', async () => {
    await create('plain');
    expect(await iterate(join(link, 'plain'))).toMatchObject(waiting);
  });

  test('continues a run that was created through a link, by its real path and by a link to it', async () => {
    await create('linked', '--runs-dir', link);
    symlinkSync(path('linked'), join(bench.root, 'itself'));
    expect(await iterate(path('linked'))).toMatchObject(waiting);
    expect(await iterate(join(bench.root, 'itself'))).toMatchObject(waiting);
  });

  test('continues an old run whose process path is relative to the link, through that link', async () => {
    const entry = bench.process('older', 'return ctx.task(step, {});');
    await bench.json(['run:create', '--run-id', 'older', '--entry', entry]);
    renameSync(entry, join(link, 'older', '..', '..', '..', 'older.mjs'));
    expect(await iterate(join(link, 'older'))).toMatchObject(waiting);
  });
});

describe('--dry-run', () => {
  test.each([
    ['run:halt'],
    ['run:assign-process', '--force', '--entry', linear],
    ['run:rebuild-state'],
    ['run:repair-journal'],
  ])('of %s writes nothing, not even a lock', async (command, ...args) => {
    const id = command.replaceAll(':', '-');
    await create(id);
    const holder = {
      pid: process.pid,
      host: hostname(),
      owner: 'test',
      token: 't',
      acquiredAt: '2026-01-01T00:00:00.000Z',
    };
    writeFileSync(path(id, 'run.lock'), JSON.stringify(holder));
    expect(await bench.reins([command, id, '--dry-run', ...args])).toMatchObject({ exit: 0, json: { dryRun: true } });
    expect(existsSync(path(id, 'run.lock'))).toBe(true);
  });
});
