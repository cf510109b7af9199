import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../../..');
/** A parameter that names the same class for Nest and as its type. */
const NEEDLESS = /@Inject\((?<token>\w+)\)\s+(?:private\s+|readonly\s+)*(?:\w+|\{[^}]*\}): \k<token>[,)]/;

test('no parameter names the class to inject in addition to its type', () => {
  const files = execFileSync('git', ['ls-files', 'libs/*.ts', 'services/*.ts'], { cwd: ROOT, encoding: 'utf8' });
  const found = files
    .trim()
    .split('\n')
    .flatMap((file) => {
      const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
      return lines.flatMap((line, index) => (NEEDLESS.test(line) ? [`${file}:${index + 1}`] : []));
    });
  expect(found).toEqual([]);
  expect(NEEDLESS.test('    @Inject(RunLog) private readonly log: RunLog,')).toBe(true);
  expect(NEEDLESS.test('    @Inject(BUS) private readonly bus: Bus,')).toBe(false);
});
