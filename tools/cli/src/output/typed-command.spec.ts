import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { typedCommand, withTypedCommands } from './typed-command.ts';

test.each([
  [{ npm_command: 'exec' }, '/repo/node_modules/.bin/reins', 'npx reins'],
  [{ npm_command: 'start', npm_lifecycle_event: 'start' }, undefined, 'npx reins'],
  [{ npm_command: 'run-script' }, '/usr/bin/reins', 'reins'],
  [{}, undefined, 'reins'],
  [{}, join(process.cwd(), 'tools/cli/bin/reins.mjs'), 'node tools/cli/bin/reins.mjs'],
])('%j, run as %s, is typed as %s', (env, script, typed) => {
  expect(typedCommand(env, script)).toBe(typed);
});

test.each([
  ['  reins requests resume r1', '  npx reins requests resume r1'],
  ['hint: `reins up`, or `reins run --help`.', 'hint: `npx reins up`, or `npx reins run --help`.'],
  ['retry now: reins requests unpark r1', 'retry now: npx reins requests unpark r1'],
  ['the reins run wild', 'the reins run wild'],
  ['reins needs Node 24', 'reins needs Node 24'],
  ['reins upper', 'reins upper'],
])('%s', (text, typed) => {
  expect(withTypedCommands(text, 'npx reins', ['requests', 'up', 'run'])).toBe(typed);
});
