import { posix } from 'node:path';
import { isReinsError, type Problem } from '@reins/contracts';
import type { CheckedCode, CheckedModule, NamedCode } from '@reins/workspace-plan';
import type { WorkspaceFiles } from './check-folder.ts';

const TOOL_EXTENSIONS = ['.mjs', '.js', '.cjs', '.ts', '.mts'];
const PROCESS_FILE = /\.[cm]?[jt]s$/;

/**
 * Reads the modules of a workspace's tools and of its process. None is run. Loads the parser only if there are any.
 * @returns undefined when the workspace has no code
 */
export async function checkedCode(
  dir: string,
  files: WorkspaceFiles,
  { catalog, process }: NamedCode,
): Promise<CheckedCode | undefined> {
  const paths = [...new Set(catalog.map(({ module_path }) => module_path))];
  if (paths.length === 0 && process === undefined) return undefined;
  const reader = new CodeReader(dir, files);
  const tools = await Promise.all(paths.map(async (path) => [path, await reader.toolModule(path)] as const));
  return { tools: new Map(tools), ...(process !== undefined && { process: await reader.processModule(process) }) };
}

class CodeReader {
  readonly #dir: string;
  readonly #workspace: WorkspaceFiles;

  constructor(dir: string, workspace: WorkspaceFiles) {
    this.#dir = dir;
    this.#workspace = workspace;
  }

  /** @param modulePath such as `tools.weather` */
  async toolModule(modulePath: string): Promise<CheckedModule> {
    const { files } = this.#workspace;
    const base = modulePath.replaceAll('.', '/');
    const candidates = TOOL_EXTENSIONS.flatMap((end) => [`${base}${end}`, `${base}/index${end}`]);
    const path = candidates.find((one) => files.has(one));
    if (path === undefined)
      return { path: `${base}.mjs`, exists: false, others: [...files.keys()].flatMap(toolModuleName) };
    const { moduleExports } = await import('@reins/sandbox/module-exports');
    try {
      const { names, complete, defaultMayHaveMembers } = moduleExports(path, await this.#workspace.read(path));
      // A tool may also be a member of the default export.
      const isKnown = complete && !defaultMayHaveMembers;
      return { path, exists: true, ...(isKnown && { exports: names }) };
    } catch (error) {
      return { path, exists: true, problem: placedSyntax(path, String(error)) };
    }
  }

  /** @param process such as `process/main.ts#process` */
  async processModule(process: string): Promise<CheckedModule> {
    const { files, read } = this.#workspace;
    const path = posix.normalize(process.split('#', 1)[0] ?? '');
    if (!files.has(path))
      return { path, exists: false, others: [...files.keys()].filter((one) => PROCESS_FILE.test(one)) };
    const { readProcess } = await import('@reins/sandbox');
    const { moduleExports } = await import('@reins/sandbox/module-exports');
    try {
      await readProcess({ root: this.#dir, path });
      const { names, complete } = moduleExports(path, await read(path));
      return { path, exists: true, ...(complete && { exports: names }) };
    } catch (error) {
      if (!isReinsError(error) && !(error instanceof SyntaxError)) throw error;
      const problem = isReinsError(error)
        ? error.problems.map((each) => placed(path, each)).join('; ')
        : placedSyntax(path, String(error));
      return { path, exists: true, problem };
    }
  }
}

/** The problem may be in a module that the process imports. */
function placed(path: string, { path: where = path, message }: Problem): string {
  const syntax = placedSyntax(where, message);
  return syntax !== message || where === path ? syntax : `${where}: ${message}`;
}

/**
 * A syntax error with its place as editors know it: `tools/weather.mjs:1:45: Unexpected token`. The parser writes
 * `Unexpected token (1:44)`, with columns from 0. Any other text stays as it is.
 */
function placedSyntax(path: string, text: string): string {
  const [, message, line, column] = /^(?:SyntaxError: )?(.*) \((\d+):(\d+)\)$/.exec(text) ?? [];
  return message === undefined ? text : `${path}:${line}:${Number(column) + 1}: ${message}`;
}

/** The name by which a catalog refers to a file of the tools folder. */
function toolModuleName(path: string): readonly string[] {
  const [, name] = /^(tools\/.+?)(?:\/index)?\.(?:mjs|js|cjs|ts|mts)$/.exec(path) ?? [];
  return name === undefined ? [] : [name.replaceAll('/', '.')];
}
