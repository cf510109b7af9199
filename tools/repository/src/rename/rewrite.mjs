import { posix } from 'node:path';
import { splitSource } from './tokens.mjs';

/** Files whose identifiers are renamed by token; every other text file is rewritten as prose. */
const SOURCE = /\.(ts|tsx|mts|js|mjs)$/;

/** A name that cannot be an English word: it is renamed in comments and prose as well as in code. */
const DISTINCTIVE = /[a-z0-9][A-Z]|[A-Z].*[A-Z]|_/;

/**
 * Applies one concept to the text of one file, and returns the new text.
 *
 * `concept` is what a module of `concepts/` exports: `identifiers` and `texts` map old to new, `files` maps old paths to
 * new ones. `file` is the path of the text from the root of the repository, after the renames in `files`.
 * Applying a concept twice gives what applying it once gives.
 */
export function rewriteText(concept, file, text) {
  const renamed = SOURCE.test(file)
    ? rewriteSource(concept, file, text)
    : rewriteReferences(concept, file, rewriteProse(concept, text));
  return Object.entries(concept.texts ?? {}).reduce((all, [from, to]) => replaceText(all, from, to), renamed);
}

/** Replaces every place of `from` that is not already part of `to`, so that a `to` which contains `from` stays as it is. */
function replaceText(text, from, to) {
  if (!to.includes(from)) return text.replaceAll(from, () => to);
  return text
    .split(to)
    .map((part) => part.replaceAll(from, () => to))
    .join(to);
}

function rewriteSource(concept, file, text) {
  const { identifiers = {}, files = {} } = concept;
  if (![...Object.keys(identifiers), ...Object.keys(files).map(stem)].some((name) => text.includes(name))) return text;
  const { names, strings, comments } = splitSource(text);
  const edits = [
    ...names.flatMap(({ start, end, value }) =>
      Object.hasOwn(identifiers, value) ? [{ start, end, text: identifiers[value] }] : [],
    ),
    ...strings.flatMap(({ start, end, value }) => {
      const moved = movedImport(files, file, value);
      return moved === undefined ? [] : [{ start: start + 1, end: end - 1, text: moved }];
    }),
    ...comments.map(({ start, end }) => ({ start, end, text: rewriteProse(concept, text.slice(start, end)) })),
  ];
  return applyEdits(text, edits);
}

function applyEdits(text, edits) {
  let result = '';
  let from = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return result + text.slice(from);
}

/** Distinctive names are renamed wherever they are, plain words only as the beginning of a code span. */
function rewriteProse({ identifiers = {} }, text) {
  return Object.entries(identifiers).reduce((all, [from, to]) => {
    const pattern = DISTINCTIVE.test(from) ? `(?<![\\w$-])${from}(?![\\w$-])` : `(?<=\`)${from}(?=[\`(.])`;
    return all.replaceAll(new RegExp(pattern, 'g'), to);
  }, text);
}

/** The specifier that `specifier` becomes in `file`, or `undefined` when it does not lead to a file that was renamed. */
function movedImport(files, file, specifier) {
  if (!specifier.startsWith('.')) return undefined;
  const folder = posix.dirname(file);
  const target = posix.join(folder, specifier);
  for (const extension of ['', '.ts']) {
    const moved = files[sourcePath(target) + extension];
    if (moved === undefined) continue;
    const relative = posix.relative(folder, moved.slice(0, moved.length - extension.length));
    const path = relative.startsWith('.') ? relative : `./${relative}`;
    return specifier.endsWith('.js') ? path.replace(/\.ts$/, '.js') : path;
  }
  return undefined;
}

/** Compiled paths lead to the sources that they come from. */
const sourcePath = (path) => path.replace(/\/dist\//, '/src/').replace(/\.js$/, '.ts');

/** Links and paths in documents and manifests, as they are written from the root or from the folder of the document. */
function rewriteReferences({ files = {} }, file, text) {
  const folder = posix.dirname(file);
  return Object.entries(files).reduce((all, [from, to]) => {
    const near = posix.relative(folder, from);
    const shortNear = near.startsWith('src/') ? near.slice('src/'.length) : near;
    const [nearTo, shortTo] = [posix.relative(folder, to), posix.relative(folder, to).replace(/^src\//, '')];
    const compiled = (path) => path.replace(/^src\//, 'dist/').replace(/\.ts$/, '.js');
    return [
      [from, to],
      [near, nearTo],
      [compiled(near), compiled(nearTo)],
      [shortNear, shortTo],
    ].reduce(
      (each, [old, next]) => each.replaceAll(new RegExp(`(?<![\\w-])${escapePattern(old)}(?![\\w-])`, 'g'), next),
      all,
    );
  }, text);
}

const stem = (path) => posix.basename(path).replace(/\.ts$/, '');
const escapePattern = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
