import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { ALLOWED, WORDS } from './words.mjs';

const TEXT = /\.(ts|tsx|mts|mjs|md|proto)$/;
const LEFT_ALONE = /(^|\/)(generated|dist|testdata|node_modules)\/|^tools\/repository\/src\/(rename|words)\//;

/** The root documents are a folder of their own in the ratchet; otherwise a package, or the first folder. */
const folderOf = (file) =>
  file.includes('/') ? (/^(libs|services|tools)\/[^/]+(?=\/)/.exec(file) ?? /^[^/]+/.exec(file))[0] : '.';

/** The places in `text` that use one of the `WORDS`: `{ line, word, say }`, lines from 1. Names are read word by word. */
export function findWords(text) {
  const lines = ALLOWED.reduce((all, allowed) => all.replaceAll(allowed, ''), text).split('\n');
  return lines.flatMap((line, index) => {
    const words = line.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll(/[_-]/g, ' ');
    return WORDS.flatMap(({ pattern, say }) =>
      [...words.matchAll(new RegExp(`\\b(?:${pattern})\\b`, 'gi'))].map(([word]) => ({ line: index + 1, word, say })),
    );
  });
}

/** Every place in the text files below `root` (a git work tree) whose path starts with one of `prefixes`. */
export function findInRepository(root, prefixes = ['']) {
  return execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((file) => TEXT.test(file) && !LEFT_ALONE.test(file) && existsSync(`${root}/${file}`))
    .filter((file) => prefixes.some((prefix) => file.startsWith(prefix)))
    .flatMap((file) => findWords(readFileSync(`${root}/${file}`, 'utf8')).map((found) => ({ file, ...found })));
}

/** How many of the places `found` each folder has, sorted by folder. */
export function countByFolder(found) {
  const folders = Object.groupBy(found, ({ file }) => folderOf(file));
  return Object.fromEntries(
    Object.entries(folders)
      .map(([folder, uses]) => [folder, uses.length])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
