import { didYouMean } from '../diagnostics/suggest.ts';
import type { CheckedCode, CheckedModule, NamedCode } from './observed.ts';
import type { Scope } from './scope.ts';
import type { Path } from './values.ts';

/** The exports that a process has when the workspace names none. */
const DEFAULT_EXPORTS = ['process', 'default'];

/**
 * Reports modules of the catalog and of `process` that do not exist, cannot be loaded, or lack the named export.
 * @returns the ids of the tools with a reported module
 */
export function checkCode(scope: Scope, { catalog, process }: NamedCode, code: CheckedCode): ReadonlySet<string> {
  const reported = new Set<string>();
  for (const { tool_id, module_path, symbol_name } of catalog) {
    const module = code.tools.get(module_path);
    const at = ['mcp_registry', 'catalog', tool_id];
    if (!module) continue;
    const isReported =
      checkModule(scope, module, module_path, [...at, 'module_path']) ||
      checkExport(scope, module, [symbol_name], [...at, 'symbol']);
    if (isReported) reported.add(tool_id);
  }
  if (process !== undefined && code.process) checkProcess(scope, process, code.process);
  return reported;
}

function checkProcess(scope: Scope, process: string, module: CheckedModule): void {
  const [path = '', name] = process.split('#');
  if (checkModule(scope, module, path, ['process'])) return;
  checkExport(scope, module, name === undefined ? DEFAULT_EXPORTS : [name], ['process'], `${path}#`);
}

/** Whether the module is reported, because it cannot be loaded. */
function checkModule(scope: Scope, module: CheckedModule, named: string, at: Path): boolean {
  const { path, exists, problem, others = [] } = module;
  if (!exists)
    report(
      scope,
      at,
      `the module '${named}' does not exist`,
      didYouMean(named, () => others, `add ${path}`),
    );
  else if (problem !== undefined) report(scope, at, `${path} cannot be loaded: ${problem}`);
  return !exists || problem !== undefined;
}

/**
 * Whether the module is reported, because it lacks the export.
 * @param prefix what the workspace writes before the name of an export
 */
function checkExport(
  scope: Scope,
  { path, exports }: CheckedModule,
  accepted: readonly string[],
  at: Path,
  prefix = '',
): boolean {
  if (exports === undefined || accepted.some((name) => exports.includes(name))) return false;
  const listed = exports.length === 0 ? 'it has no exports' : `it exports: ${exports.join(', ')}`;
  const hint = didYouMean(
    accepted[0] ?? '',
    () => exports,
    `export a function named ${accepted.join(' or ')}, or name another export`,
    (name) => `${prefix}${name}`,
  );
  report(scope, at, `${path} has no export '${accepted.join("' or '")}'; ${listed}`, hint);
  return true;
}

function report(scope: Scope, at: Path, message: string, specificHint?: () => string | undefined): void {
  scope.report.strictError({ code: 'workspace_module_invalid', at, message, specificHint });
}
