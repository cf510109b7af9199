import { posix } from 'node:path';
import { defined, type Problem, ReinsError } from '@reins/contracts';
import type { CodeModule, ProcessCode, ProcessManifest } from '@reins/journal';
import type { GraphModule, ModuleGraph } from './module-graph.ts';
import { ModuleParser } from './module-parser.ts';
import type { NamedImport } from './parse-module.ts';
import { ownModule } from './resolve-import.ts';

/**
 * The module graph of stored code. The hash of the code proves the paths and contents of the modules. Formats and
 * imports are compared with the contents. Where only a `package.json` decided them, the manifest is trusted.
 * @param root the folder that replaces the folder of the process. The modules need not exist there
 * @throws ReinsError `process_invalid` for code whose manifest does not match its modules
 */
export async function keptProcess({ manifest, contents }: ProcessCode, root: string): Promise<ModuleGraph> {
  const { entry, codeHash } = manifest;
  const problems: Problem[] = [];
  const modules: Record<string, GraphModule> = {};
  const parser = new ModuleParser();
  try {
    for (const [path, listed] of Object.entries(manifest.modules)) {
      const { code, reason } = await keptModule(parser, manifest, path, contents.get(listed.sha256));
      if (reason === undefined) modules[path] = { format: listed.format, code, imports: listed.imports };
      else problems.push({ code: 'process_invalid', message: `the kept module ${path} ${reason}`, path });
    }
  } finally {
    await parser.close();
  }
  if (problems.length > 0) throw new ReinsError(problems);
  return { root, entry, modules, hash: codeHash };
}

interface KeptModule {
  readonly code: string;
  readonly reason?: string;
}

async function keptModule(
  parser: ModuleParser,
  manifest: ProcessManifest,
  path: string,
  content?: Uint8Array,
): Promise<KeptModule> {
  const { format, imports } = manifest.modules[path] as CodeModule;
  if (posix.normalize(path) !== path || /^(?:\.\.)?\//.test(path)) return { code: '', reason: 'has an invalid path' };
  if (!content) return { code: '', reason: 'is missing' };
  try {
    const source = Buffer.from(content).toString('utf8');
    const parsed = await parser.parse({ path, source, type: format === 'json' ? undefined : format });
    if (parsed.format !== format) return { code: '', reason: `is listed as ${format}, but it is ${parsed.format}` };
    const reason = wrongImport(manifest, path, imports, parsed.imports);
    return { code: parsed.code, ...defined({ reason }) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { code: '', reason: `cannot be parsed: ${error.message}` };
  }
}

/** Describes the first listed import of a module that is invalid. */
function wrongImport(
  { modules }: ProcessManifest,
  path: string,
  listed: CodeModule['imports'],
  named: readonly NamedImport[],
): string | undefined {
  const missing = named.find(({ specifier, by }) => by === 'static' && listed[specifier] === undefined);
  if (missing) return `imports ${missing.specifier}, which is not listed`;
  for (const [specifier, target] of Object.entries(listed)) {
    const uses = named.filter((one) => one.specifier === specifier);
    if (uses.length === 0) return `does not import ${specifier}, which is listed`;
    const own = ownModule(specifier);
    const isRight = own === undefined ? isModuleAt(path, specifier, target, uses) : own === target;
    if (!isRight || (own === undefined && modules[target] === undefined))
      return `imports ${specifier}, which is not ${target}`;
  }
  return undefined;
}

/** Whether a specifier can refer to this module. Only the packages decide what a bare specifier refers to. */
function isModuleAt(path: string, specifier: string, target: string, uses: readonly NamedImport[]): boolean {
  if (!/^\.{0,2}(?:\/|$)/.test(specifier)) return true;
  const from = posix.dirname(path);
  return uses.some(({ by }) =>
    by === 'require'
      ? ['', '.js', '.json', '/index.js', '/index.json'].some((end) => posix.join(from, specifier + end) === target)
      : posix.join(from, pathOf(specifier)) === target,
  );
}

/** The path of a specifier, which is a URL reference. */
function pathOf(specifier: string): string {
  try {
    return decodeURIComponent(specifier.replace(/[?#].*$/, ''));
  } catch {
    return specifier;
  }
}
