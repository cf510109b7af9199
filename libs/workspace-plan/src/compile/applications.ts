import { FileReport, type Findings } from '../diagnostics/findings.ts';
import type { ResolvedApplicationRuntime } from '../plan.ts';
import { readYaml } from '../yaml/document.ts';
import { reportFailure } from './failure.ts';
import { readManifest } from './manifest.ts';
import { pathProblem } from './paths.ts';
import type { Scope } from './scope.ts';
import { isAbsent, isMapping, kindOf, type Mapping, own, type Path } from './values.ts';

/** Reads `applications` and the manifest of each. */
export function compileApplications(scope: Scope, findings: Findings): readonly ResolvedApplicationRuntime[] {
  const list = own(scope.root, 'applications');
  if (isAbsent(list)) return [];
  if (!Array.isArray(list)) {
    const note = {
      code: 'workspace_shape_invalid',
      at: { path: ['applications'] },
      message: 'applications must be a list',
    } as const;
    // an empty value of another type was taken for an empty list
    if (list) scope.report.error(note);
    else scope.report.stricter(note);
    return [];
  }
  const ids = new Set<string>();
  return (list as unknown[]).flatMap((entry, index): readonly ResolvedApplicationRuntime[] => {
    const path: Path = ['applications', index];
    if (!isMapping(entry)) {
      scope.report.error({
        code: 'workspace_shape_invalid',
        at: { path },
        message: 'each application entry must be a mapping',
      });
      return [];
    }
    const application = compileApplication(scope, findings, entry, path, ids);
    return application ? [application] : [];
  });
}

function compileApplication(
  scope: Scope,
  findings: Findings,
  entry: Mapping,
  path: Path,
  ids: Set<string>,
): ResolvedApplicationRuntime | undefined {
  const id = scalarText(own(entry, 'app_id'));
  if (id !== undefined && ids.has(id)) {
    scope.report.error({
      code: 'app_duplicate_id',
      at: { path: [...path, 'app_id'] },
      message: `duplicate app_id '${id}'`,
    });
    return undefined;
  }
  if (id !== undefined) ids.add(id);
  const configPath = manifestPath(scope, entry, [...path, 'config_path']);
  if (configPath === undefined) return undefined;
  checkId(scope, own(entry, 'app_id'), [...path, 'app_id']);
  const file = readYaml(scope.references[configPath] ?? '');
  if (!file.ok) {
    reportFailure(findings, configPath, file, 'app_config_invalid_yaml', configPath);
    return undefined;
  }
  const report = new FileReport(findings, configPath, file.value);
  return readManifest({ report, configPath, declaredId: id, document: file.value });
}

/** The text of an id: numbers and true/false are taken as they were read, nothing else is an id. */
export function scalarText(value: unknown): string | undefined {
  if (isAbsent(value)) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return undefined;
}

function checkId(scope: Scope, value: unknown, path: Path): void {
  const id = scalarText(value);
  if (id === undefined || id.trim() === '') {
    scope.report.stricter({
      code: 'app_id_invalid',
      at: { path },
      message: id === undefined ? `app_id must be text, not ${kindOf(value)}` : 'app_id must not be empty',
    });
  } else if (typeof value !== 'string') {
    scope.report.warn({
      code: 'workspace_value_coerced',
      at: { path },
      message: `app_id is ${kindOf(value)} and was read as the text '${id}'`,
      hint: `quote it: "${id}"`,
    });
  }
}

/** The path of the manifest, when it is one of the references. */
function manifestPath(scope: Scope, entry: Mapping, path: Path): string | undefined {
  const raw = own(entry, 'config_path');
  const config = scalarText(raw);
  if (config !== undefined && typeof raw === 'string') {
    const problem = pathProblem(config);
    if (problem) {
      scope.report.stricter({
        code: 'workspace_path_escapes',
        at: { path },
        message: `app config path '${config}' ${problem}`,
        hint: 'give a path relative to the workspace, inside it',
      });
      return undefined;
    }
    if (Object.hasOwn(scope.references, config)) {
      if (config.trim() === config && config !== '') return config;
    }
  }
  scope.report.error({
    code: 'app_config_not_found',
    at: { path },
    message: `app config not found: '${config ?? ''}'`,
    hint:
      config !== undefined && config.trim() !== config && config.trim() !== ''
        ? 'remove the blanks around the path'
        : null,
  });
  return undefined;
}
