import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { defined, isObject, type JsonObject, type Problem, type ProcessRef, ReinsError } from '@reins/contracts';
import { type Entry, hashJson } from '../entries/entry.ts';
import { BARE_RUN } from '../entries/run-request.ts';

const FORMAT = 'reins.process.v1';

/** One module of a process. */
export interface CodeModule {
  /** SHA-256 (hex) of its file. */
  readonly sha256: string;
  readonly format: 'module' | 'commonjs' | 'json';
  /** Its specifiers and their targets: the path of a module, or a module of the sandbox (`node:…`, `reins:…`). */
  readonly imports: Readonly<Record<string, string>>;
}

/** Lists the modules of a process. The hash of their paths and contents is the identity of the code. */
export interface ProcessManifest {
  readonly format: typeof FORMAT;
  readonly codeHash: string;
  /** The path of the first module. */
  readonly entry: string;
  /** By their path, with `/`. */
  readonly modules: Readonly<Record<string, CodeModule>>;
  /** SHA-256 (hex) of the canonical JSON of the rest: finds damage to what `codeHash` does not cover. */
  readonly hash: string;
}

/** All code of a process, as it was read: enough to run it elsewhere. */
export interface ProcessCode {
  readonly manifest: ProcessManifest;
  /** The files by their SHA-256. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/** The identity of code: the hash of the paths and hashes of its modules. */
const codeHashOf = (modules: ProcessManifest['modules']): string =>
  hashJson(Object.fromEntries(Object.entries(modules).map(([path, { sha256 }]) => [path, sha256])));

export function processManifest(entry: string, modules: ProcessManifest['modules']): ProcessManifest {
  const manifest = { format: FORMAT, codeHash: codeHashOf(modules), entry, modules } as const;
  return { ...manifest, hash: hashJson(manifest) };
}

export const sha256Of = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/**
 * Whether this is the code with a recorded hash. Runs that were created without a sandbox, and those of babysitter,
 * recorded the hash of the first module.
 */
export const hasCodeHash = ({ codeHash, entry, modules }: ProcessManifest, recorded: string): boolean =>
  codeHash === recorded || modules[entry]?.sha256 === recorded;

/** Parses a manifest, and checks it against its own hash. Undefined when it is not one, or was changed. */
export function parseManifest(value: unknown): ProcessManifest | undefined {
  if (!isObject(value) || value.format !== FORMAT || typeof value.entry !== 'string' || !isObject(value.modules))
    return undefined;
  if (!Object.values(value.modules).every(isModule)) return undefined;
  const { entry, modules } = value as unknown as ProcessManifest;
  const manifest = processManifest(entry, modules);
  return modules[entry] !== undefined && hashJson(value as JsonObject) === hashJson(manifest) ? manifest : undefined;
}

function isModule(value: unknown): value is CodeModule {
  return (
    isObject(value) &&
    typeof value.sha256 === 'string' &&
    /^[0-9a-f]{64}$/.test(value.sha256) &&
    (value.format === 'module' || value.format === 'commonjs' || value.format === 'json') &&
    isObject(value.imports) &&
    Object.values(value.imports).every((target) => typeof target === 'string')
  );
}

/** The modules that differ between two versions of a process, by their paths. */
export function changedModules(before: ProcessManifest, after: ProcessManifest): string[] {
  const paths = new Set([...Object.keys(before.modules), ...Object.keys(after.modules)]);
  return [...paths].filter((path) => before.modules[path]?.sha256 !== after.modules[path]?.sha256).toSorted();
}

/** Whether both are the same modules at the same places from each other, maybe in another folder. */
export function isSameCode(a: ProcessManifest, b: ProcessManifest): boolean {
  return hashJson(fromEntry(a)) === hashJson(fromEntry(b));
}

const fromEntry = ({ entry, modules }: ProcessManifest): Record<string, string> =>
  Object.fromEntries(
    Object.entries(modules).map(([path, { sha256 }]) => [posix.relative(posix.dirname(entry), path), sha256]),
  );

/** The processes that these entries record, one for each code, without those that have none. */
export function recordedCode(entries: readonly Entry[]): ProcessRef[] {
  const found = new Map<string, ProcessRef>();
  let id = '';
  let revision: string | undefined;
  for (const { type, data } of entries) {
    const isStart = type === 'RUN_CREATED' || type === 'PROCESS_ASSIGNED';
    if (isStart) {
      revision = data.process.id === id ? (data.process.revision ?? revision) : data.process.revision;
      id = data.process.id;
    } else if (type === 'PROCESS_CODE_CHANGED') revision = data.revision ?? revision;
    const codeHash = isStart ? data.process.codeHash : type === 'PROCESS_CODE_CHANGED' ? data.to : '';
    if (id !== BARE_RUN && /^[0-9a-f]{64}$/.test(codeHash))
      found.set(codeHash, { id, codeHash, ...defined({ revision }) });
  }
  return [...found.values()];
}

/** The code of processes within a bundle. */
export interface BundledCode {
  readonly manifests: readonly ProcessManifest[];
  /** The files in base64, by their SHA-256. */
  readonly contents: Readonly<Record<string, string>>;
}

export function bundledCode(all: readonly ProcessCode[]): BundledCode {
  const contents = all.flatMap((code) =>
    [...code.contents].map(([sha256, bytes]) => [sha256, Buffer.from(bytes).toString('base64')]),
  );
  return { manifests: all.map(({ manifest }) => manifest), contents: Object.fromEntries(contents) };
}

/**
 * The code in a bundle.
 * @param name of the bundle, for errors
 * @throws ReinsError `journal_corrupt` for a changed manifest, and for a missing or changed module
 */
export function codeInBundle(code: unknown, name: string): ProcessCode[] {
  if (code === undefined) return [];
  if (!isObject(code) || !Array.isArray(code.manifests) || !isObject(code.contents))
    throw new ReinsError(corrupt('its code is not a list of manifests with their contents', name));
  const { contents } = code;
  return code.manifests.map((value: unknown) => {
    const manifest = parseManifest(value);
    if (!manifest) throw new ReinsError(corrupt('a manifest of its code does not match its hash', name));
    return { manifest, contents: contentsOf(manifest, contents, name) };
  });
}

function contentsOf({ modules }: ProcessManifest, contents: object, name: string): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (const [path, { sha256 }] of Object.entries(modules)) {
    const text = (contents as Readonly<Record<string, unknown>>)[sha256];
    const bytes = typeof text === 'string' ? Buffer.from(text, 'base64') : undefined;
    if (!bytes) throw new ReinsError(corrupt(`the module ${path} of its code is missing`, name));
    if (sha256Of(bytes) !== sha256)
      throw new ReinsError(corrupt(`the module ${path} of its code does not match its hash`, name));
    found.set(sha256, bytes);
  }
  return found;
}

const corrupt = (problem: string, name: string): Problem => ({
  code: 'journal_corrupt',
  message: `${name}: ${problem}`,
  path: name,
  hint: 'Export the bundle again from its run.',
});
