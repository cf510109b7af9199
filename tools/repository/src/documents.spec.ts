import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../../..');
const DOCUMENTS = globSync('{*.md,docs/*.md,examples/**/*.md,{libs,services,tools}/{*.md,*/*.md}}', { cwd: ROOT });

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
/** Text without its code: brackets in code are no links. */
const prose = (file: string): string => read(file).replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '');

test('every link of a document to a file of the repository leads to one', () => {
  const broken = DOCUMENTS.flatMap((file) =>
    [...prose(file).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(ROOT, dirname(file), target)))
      .map((target) => `${file}: ${target}`),
  );
  expect(DOCUMENTS.length).toBeGreaterThan(10);
  expect(broken).toEqual([]);
});

test('libs/README.md has one line for each lib, and every lib and service a README.md', () => {
  const packages = globSync('{libs,services}/*/package.json', { cwd: ROOT }).map(dirname).sort();
  const libs = packages.filter((root) => root.startsWith('libs/')).map((root) => root.slice('libs/'.length));
  const listed = [...read('libs/README.md').matchAll(/^\| \[([a-z-]+)\]/gm)].map(([, name]) => name);
  expect(listed).toEqual(libs);
  expect(packages.filter((root) => !existsSync(join(ROOT, root, 'README.md')))).toEqual([]);
});
