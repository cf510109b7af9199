import { type Problem, ReinsError } from '@reins/contracts';
import { fileTooLarge, type TreeLimits, tooManyBytes, tooManyFiles, withDefaults } from '../limits.ts';
import { isSha256, sha256Of } from '../support/hash.ts';
import { pathCollisions, problemOfPath } from './paths.ts';

/** The type of a file: plain, executable, or a symbolic link whose content is its target. */
export type FileMode = '644' | '755' | 'link';

export interface TreeFile {
  readonly mode: FileMode;
  readonly sha256: string;
  readonly size: number;
}

/** Path → file, ordered by the UTF-16 code units of the paths. */
export type Manifest = ReadonlyMap<string, TreeFile>;

/** The manifest of every new workspace. */
export const EMPTY_MANIFEST: Manifest = new Map();

/** The maximum number of problems that one error reports. */
const MAX_PROBLEMS = 100;

/**
 * Creates the sorted manifest of these files, and checks paths, limits and collisions. Throws a `ReinsError` with all
 * problems.
 */
export function manifestOf(files: Iterable<readonly [string, TreeFile]>, limits?: Partial<TreeLimits>): Manifest {
  const bounds = withDefaults(limits);
  const list = [...files];
  const problems = list.flatMap(([path, file]) => problemsOfFile(path, file, bounds));
  if (list.length > bounds.maxFiles) problems.push(tooManyFiles(bounds));
  if (list.reduce((sum, [, file]) => sum + file.size, 0) > bounds.maxBytes) problems.push(tooManyBytes(bounds));
  if (problems.length === 0) problems.push(...pathCollisions(list.map(([path]) => path)));
  if (problems.length > 0) throw new ReinsError(problems.slice(0, MAX_PROBLEMS));
  return new Map(list.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function problemsOfFile(path: string, file: TreeFile, limits: TreeLimits): Problem[] {
  const wrongPath = problemOfPath(path, limits.maxPathBytes);
  if (wrongPath) return [wrongPath];
  return file.size > limits.maxFileBytes ? [fileTooLarge(path, file.size, limits)] : [];
}

/**
 * The canonical JSON (RFC 8785) of a manifest: `{"<path>":{"mode":…,"sha256":…,"size":…},…}`. A manifest is already
 * sorted as the canonical form requires, so it is written directly.
 */
export function manifestText(manifest: Manifest): string {
  const members: string[] = [];
  for (const [path, { mode, sha256, size }] of manifest) {
    members.push(`${JSON.stringify(path)}:{"mode":"${mode}","sha256":"${sha256}","size":${size}}`);
  }
  return `{${members.join(',')}}`;
}

/** The id of a tree: the SHA-256 of the canonical JSON of its manifest. */
export function treeIdOf(manifest: Manifest): string {
  return sha256Of(manifestText(manifest));
}

/** Parses and validates the JSON of an untrusted manifest. */
export function parseManifest(text: string, limits?: Partial<TreeLimits>): Manifest {
  const invalid = (message: string, path?: string): ReinsError =>
    new ReinsError({ code: 'tree_manifest_invalid', message, ...(path === undefined ? {} : { path }) });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('the manifest is not JSON');
  }
  if (!isPlainObject(value)) throw invalid('the manifest is not an object');
  const files = Object.entries(value).map(([path, file]): readonly [string, TreeFile] => {
    if (!isTreeFile(file)) throw invalid('expected {mode, sha256, size} of a file', path);
    return [path, { mode: file.mode, sha256: file.sha256, size: file.size }];
  });
  return manifestOf(files, limits);
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTreeFile(value: unknown): value is TreeFile {
  return (
    isPlainObject(value) &&
    Object.keys(value).length === 3 &&
    (value.mode === '644' || value.mode === '755' || value.mode === 'link') &&
    isSha256(value.sha256) &&
    typeof value.size === 'number' &&
    Number.isSafeInteger(value.size) &&
    value.size >= 0
  );
}
