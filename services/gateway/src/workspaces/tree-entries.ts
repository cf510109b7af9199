import { isObject, type Problem, ReinsError } from '@reins/contracts';
import type { TreeEntry } from '@reins/workspace-tree';

const MAX_PROBLEMS = 100;

/**
 * Validates the shape of the uploaded files. The rules for tree entries are checked later, by the tree itself.
 * @throws ReinsError `request_invalid`, with the problems of all files
 */
export function treeEntriesOf(files: readonly unknown[]): TreeEntry[] {
  const problems = files.flatMap((file, index) => problemsOf(file, `files[${index}]`));
  if (problems.length > 0) throw new ReinsError(problems.slice(0, MAX_PROBLEMS));
  return files as TreeEntry[];
}

const RULES: Readonly<Record<string, { readonly expected: string; readonly test: (value: unknown) => boolean }>> = {
  path: { expected: 'a string', test: (value) => typeof value === 'string' },
  content: { expected: 'a string', test: (value) => typeof value === 'string' },
  encoding: {
    expected: '"utf8" or "base64"',
    test: (value) => value === undefined || value === 'utf8' || value === 'base64',
  },
  mode: {
    expected: '"644", "755" or "link"',
    test: (value) => value === undefined || value === '644' || value === '755' || value === 'link',
  },
};

function problemsOf(file: unknown, at: string): Problem[] {
  if (!isObject(file)) return [invalid(at, 'must be an object with path and content')];
  const wrong = Object.entries(RULES).filter(([field, { test }]) => !test(file[field]));
  const unknown = Object.keys(file).filter((field) => !Object.hasOwn(RULES, field));
  return [
    ...wrong.map(([field, { expected }]) => invalid(`${at}.${field}`, `must be ${expected}`)),
    ...unknown.map((field) => invalid(`${at}.${field}`, 'is an unknown field')),
  ];
}

const invalid = (path: string, reason: string): Problem => ({
  code: 'request_invalid',
  message: `${path} ${reason}`,
  path,
});
