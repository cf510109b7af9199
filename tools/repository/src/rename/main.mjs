import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, matchesGlob } from 'node:path';
import { rewriteText } from './rewrite.mjs';

/**
 * `npm run rename [-- <concept> …] [--check]`: applies the renames of `concepts/` to every text file of the repository, so
 * that a branch which began before a rename can follow it. `--check` changes nothing and exits with 1 when a file would change.
 */
const ROOT = join(import.meta.dirname, '../../../..');
/** Recorded data keeps the names that it was recorded with; `rename/` names them as what they were. */
const LEFT_ALONE =
  /(^|\/)(generated|dist|testdata|node_modules)\/|package-lock\.json$|^tools\/repository\/src\/rename\//;
const TEXT = /\.(ts|tsx|mts|js|mjs|json|md|yaml|yml|proto|sql|toml)$|(^|\/)\.dependency-cruiser/;

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const check = process.argv.includes('--check');
const concepts = await Promise.all(
  globSync('concepts/*.mjs', { cwd: import.meta.dirname })
    .sort()
    .filter((file) => wanted.length === 0 || wanted.includes(basename(file, '.mjs')))
    .map(async (file) => ({ name: basename(file, '.mjs'), ...(await import(`./${file}`)).default })),
);

process.chdir(ROOT);
const changed = new Set();
for (const concept of concepts) moveFiles(concept);
for (const file of textFiles()) rewriteFile(file);
for (const each of [...changed].sort()) console.log(each);
if (check && changed.size > 0) process.exitCode = 1;

function moveFiles({ files = {} }) {
  for (const [from, to] of Object.entries(files)) {
    if (!existsSync(from)) continue;
    changed.add(`${from} → ${to}`);
    if (check) continue;
    mkdirSync(dirname(to), { recursive: true });
    renameSync(from, to);
  }
}

function rewriteFile(file) {
  const text = readFileSync(file, 'utf8');
  let next = text;
  for (const concept of concepts.filter((each) => appliesTo(each, file))) {
    try {
      next = rewriteText(concept, file, next);
    } catch (error) {
      console.error(`${file}: not renamed (${concept.name}): ${error.message}`);
      process.exitCode = 1;
    }
  }
  if (next === text) return;
  changed.add(file);
  if (!check) writeFileSync(file, next);
}

/** `in` limits a concept to the files that its globs match: for names that mean something else in other places. */
function appliesTo(concept, file) {
  return concept.in === undefined || concept.in.some((glob) => matchesGlob(file, glob));
}

function textFiles() {
  return execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { encoding: 'utf8' })
    .split('\0')
    .filter((file) => TEXT.test(file) && !LEFT_ALONE.test(file) && existsSync(file));
}
