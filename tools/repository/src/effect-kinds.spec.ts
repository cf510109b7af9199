import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../../..');
const DESCRIPTORS = 'libs/journal/src/effects/';
/** These compare another `kind`, which has some of the same values. */
const OTHER_KINDS: ReadonlySet<string> = new Set([
  'services/gateway/src/run-commands/open-effects.ts', // the subject of an approval
  'services/harness-host/src/executor/executor.ts', // a message of an executor
  'tools/cli/src/output/run-lines.ts', // an event of a request or a stage
]);

const listed = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n');

const sourceOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The names of the kinds: `tool-direct.ts` describes `tool.direct`. */
const names = readdirSync(join(ROOT, DESCRIPTORS))
  .filter((file) => sourceOf(`${DESCRIPTORS}${file}`).includes('satisfies EffectKind;'))
  .map((file) => file.replace(/\.ts$/, '').replace('-', '.'));

test('only the descriptors of effect kinds depend on the name of a kind', () => {
  expect(names).toEqual(expect.arrayContaining(['stage', 'tool.direct', 'breakpoint']));
  const comparison = new RegExp(String.raw`\bkind [!=]== '(?:${names.map((name) => RegExp.escape(name)).join('|')})'`);
  const found = listed('libs/*.ts', 'services/*.ts', 'tools/cli/*.ts')
    .filter((file) => !file.startsWith(DESCRIPTORS) && !file.endsWith('.spec.ts') && !file.includes('/testing/'))
    .filter((file) => comparison.test(sourceOf(file)));
  // Sorted, so that an exception that is no longer needed fails, too.
  expect(found.toSorted()).toEqual([...OTHER_KINDS].toSorted());
});
