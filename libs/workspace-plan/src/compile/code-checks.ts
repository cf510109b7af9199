import { didYouMean } from '../diagnostics/suggest.ts';
import type { CatalogTool } from '../plan.ts';
import type { CheckedCode, CheckedModule } from './observed.ts';
import type { Scope } from './scope.ts';
import type { Path } from './values.ts';

/** The exports that a process has when the workspace names none. */
const DEFAULT_EXPORTS = ['process', 'default'];

/** Reports modules of the catalog and of `process` that do not exist, cannot be loaded, or lack the named export. */
export function checkCode(
  scope: Scope,
  catalog: readonly CatalogTool[],
  process: string | undefined,
  code: CheckedCode,
): void {
  for (const { tool_id, module_path, symbol_name } of catalog) {
    const module = code.tools.get(module_path);
    const at = ['mcp_registry', 'catalog', tool_id];
    if (!module || checkModule(scope, module, module_path, [...at, 'module_path'])) continue;
    checkExport(scope, module, [symbol_name], [...at, 'symbol']);
  }
  if (process === undefined || !code.process) return;
  const [path = '', name] = process.split('#');
  if (checkModule(scope, code.process, path, ['process'])) return;
  checkExport(scope, code.process, name === undefined ? DEFAULT_EXPORTS : [name], ['process'], `${path}#`);
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

/** @param prefix what the workspace writes before the name of an export */
function checkExport(
  scope: Scope,
  { path, exports }: CheckedModule,
  accepted: readonly string[],
  at: Path,
  prefix = '',
): void {
  if (exports === undefined || accepted.some((name) => exports.includes(name))) return;
  const listed = exports.length === 0 ? 'it has no exports' : `it exports: ${exports.join(', ')}`;
  const hint = didYouMean(
    accepted[0] ?? '',
    () => exports,
    `export a function named ${accepted.join(' or ')}, or name another export`,
    (name) => `${prefix}${name}`,
  );
  report(scope, at, `${path} has no export '${accepted.join("' or '")}'; ${listed}`, hint);
}

function report(scope: Scope, at: Path, message: string, specificHint?: () => string | undefined): void {
  scope.report.strictError({ code: 'workspace_module_invalid', at, message, specificHint });
}
