import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../../..');
const EXPORT = /^export (?:abstract |async )*(?:const|let|function\*?|class|interface|type|enum) (?<name>\w+)/gm;
/** A line of an entry point names what it exports, and does not use it. */
const RE_EXPORT = /^export (?:type )?\{[^}]*\} from .*$/gm;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm;
/** Files that only tests use: what they export has specs as its users. */
const FOR_TESTS =
  /\/(?:testing|testdata|contract|conformance|attacks|bench)\/|^libs\/testing\/|^tools\/(?:simulation|repository)\//;
/** It names exports that have no user. */
const THIS_FILE = 'tools/repository/src/exports.spec.ts';
/** Exports that no other file of production names, and who uses them. */
const EXCEPTIONS: ReadonlySet<string> = new Set([
  // loaded by name
  'libs/harness/src/adapters/opencode/relay.ts ReinsRelay', // by OpenCode
  'tools/repository/src/nx-plugin.mjs createNodesV2', // by Nx
  // an adapter that no host offers yet
  // fixtures of other packages
  'libs/embedded/src/versions.ts POSTGRES_VERSION',
  'libs/journal/src/store/memory-stream.ts memoryStream',
  'libs/workspace-tree/src/manifest/manifest.ts EMPTY_MANIFEST',
  // how specs read what production writes, or compare it with records
  'libs/contracts/src/catalogue/catalogue.ts ENTRY_TYPES',
  'libs/runtime-config/src/mcp/payloads.ts effectiveMcpServerPayloads',
  'libs/runtime-config/src/mcp/payloads.ts resolveFromEnvironment',
  'libs/runtime-config/src/references/reference-path.ts referencePath',
  'libs/store/src/queries/all-rows.ts readSnapshot',
  'libs/store/src/queries/events.ts listTraceViews',
  'libs/store/src/schema/describe-tables.ts describeTables',
]);

const listed = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n');

const isSpec = (file: string): boolean => /\.spec\.[mc]?[jt]sx?$/.test(file);

/** What may use an export: without comments and re-exports. */
const codeOf = (file: string, source: string): string =>
  file.endsWith('.md') ? source : source.replace(COMMENT, '').replace(RE_EXPORT, '');

/** Each word of these files, with the files of which it is part. */
function usersOf(files: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  for (const [file, source] of files)
    for (const word of new Set(codeOf(file, source).match(/\w+/g))) users.set(word, [...(users.get(word) ?? []), file]);
  return users;
}

/** The exports that only their own line or, outside the files for tests, only tests name. */
function unusedExports(files: ReadonlyMap<string, string>): string[] {
  const users = usersOf(files);
  return [...files]
    .filter(([file]) => !isSpec(file) && !file.endsWith('.md'))
    .flatMap(([file, source]) =>
      [...source.matchAll(EXPORT)]
        .map(({ groups }) => groups?.name as string)
        .filter((name) => source.match(new RegExp(String.raw`\b${name}\b`, 'g'))?.length === 1)
        .filter((name) => !users.get(name)?.some((user) => user !== file && counts(user, file)))
        .map((name) => `${file} ${name}`),
    );
}

const counts = (user: string, file: string): boolean => FOR_TESTS.test(file) || !(isSpec(user) || FOR_TESTS.test(user));

test('every export has a user', () => {
  const files = listed(
    'libs/**.ts',
    'libs/**.mjs',
    'services/**.ts',
    'services/**.mjs',
    'tools/**.ts',
    'tools/**.mjs',
    '*.md',
  );
  const sources = new Map(
    files.filter((file) => file !== THIS_FILE).map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]),
  );
  // Sorted, so that an exception that is no longer needed fails, too.
  expect(unusedExports(sources).toSorted()).toEqual([...EXCEPTIONS].toSorted());
});

test('re-exports and specs are no users of an export', () => {
  const files = new Map([
    ['libs/a/src/a.ts', 'export const usedByB = 1;\nexport const usedBySpec = 2;\nexport const unused = 3;\n'],
    ['libs/a/src/index.ts', "export { unused, usedByB, usedBySpec } from './a.ts';\n"],
    ['libs/a/src/a.spec.ts', 'expect(usedBySpec).toBe(2);\n'],
    ['libs/b/src/b.ts', '// not unused\nexport const b = usedByB;\nlog(b);\n'],
  ]);
  expect(unusedExports(files)).toEqual(['libs/a/src/a.ts usedBySpec', 'libs/a/src/a.ts unused']);
});
