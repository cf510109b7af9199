import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, parse } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import { runsRoot } from './runs-root.ts';

let repository: string;
let cwd: string;
beforeAll(async () => {
  repository = await tempDir('repo');
  cwd = join(repository, 'deep', 'below');
  await mkdir(cwd, { recursive: true });
  await mkdir(join(repository, '.git'));
  await mkdir(join(repository, '.a5c', 'runs', 'old-run'), { recursive: true });
});
afterAll(() => rm(repository, { recursive: true, force: true }));

test('is global by default, and follows the state directory', () => {
  expect(runsRoot({ cwd })).toBe(join(homedir(), '.a5c', 'runs'));
  expect(runsRoot({ cwd, globalStateDir: '/srv/state' })).toBe('/srv/state/runs');
});

test.each(['repo', 'project', 'root', 'local'])('is the repository with scope %s', (scope) => {
  expect(runsRoot({ cwd, scope })).toBe(join(repository, '.a5c', 'runs'));
});

test('can be given, and a relative path is resolved against the scope, not the working directory', () => {
  expect(runsRoot({ cwd, runsDir: '/srv/runs', scope: 'repo' })).toBe('/srv/runs');
  expect(runsRoot({ cwd, runsDir: 'mine', scope: 'repo' })).toBe(join(repository, 'mine'));
  expect(runsRoot({ cwd, runsDir: '/r/.a5c/runs/.a5c/runs' })).toBe('/r/.a5c/runs');
});

test('a relative path names the same folder in every working directory, or is refused', () => {
  for (const at of [cwd, repository]) {
    expect(runsRoot({ cwd: at, runsDir: 'mine', scope: 'repo' })).toBe(join(repository, 'mine'));
    expect(runsRoot({ cwd: at, runsDir: 'mine' })).toBe(join(homedir(), 'mine'));
    expect(runsRoot({ cwd: at, runsDir: 'mine', globalStateDir: '/srv/state' })).toBe('/srv/mine');
    expect(() => runsRoot({ cwd: at, runsDir: 'mine', globalStateDir: 'state' })).toThrow(
      'the runs folder "mine" is relative, and BABYSITTER_GLOBAL_STATE_DIR is relative (state)',
    );
  }
  const outside = parse(cwd).root;
  expect(() => runsRoot({ cwd: outside, runsDir: 'mine', scope: 'repo' })).toThrow(
    'the runs folder "mine" is relative, and there is no repository here',
  );
  expect(runsRoot({ cwd: outside, runsDir: '/srv/runs', scope: 'repo' })).toBe('/srv/runs');
});

test('a run in the repository is found there', () => {
  expect(runsRoot({ cwd }, 'old-run')).toBe(join(repository, '.a5c', 'runs'));
  expect(runsRoot({ cwd }, 'no-such-run')).toBe(join(homedir(), '.a5c', 'runs'));
});
