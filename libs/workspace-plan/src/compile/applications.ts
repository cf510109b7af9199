import { manifestLocator } from '../diagnostics/locator.ts';
import { Report, type SpecificHint } from '../diagnostics/report.ts';
import { didYouMean } from '../diagnostics/suggest.ts';
import type { ResolvedApplicationRuntime } from '../plan.ts';
import { checkDocument } from './document-checks.ts';
import { idMismatchMessage, readManifest } from './manifest.ts';
import { pathProblem } from './paths.ts';
import { readManifestYaml } from './read-files.ts';
import { reportFailure } from './report-failure.ts';
import type { Scope } from './scope.ts';
import { asText, isAbsent, isMapping, isScalar, kindOf, type Mapping, ownProperty, type Path } from './values.ts';

/** Reads `applications` and the manifest of each application. */
export function compileApplications(scope: Scope): readonly ResolvedApplicationRuntime[] {
  const list = ownProperty(scope.root, 'applications');
  if (isAbsent(list)) return [];
  if (!Array.isArray(list)) {
    refuseList(scope, list);
    return [];
  }
  const seen: SeenEntries = { ids: new Set(), manifests: new Map() };
  const applications: ResolvedApplicationRuntime[] = [];
  for (const [index, entry] of (list as unknown[]).entries()) {
    const application = new ApplicationReader(scope, ['applications', index]).read(entry, seen);
    if (application) applications.push(application);
  }
  return applications;
}

/** The legacy system treats an empty value of another type as an empty list. */
function refuseList(scope: Scope, value: unknown): void {
  const finding = {
    code: 'workspace_shape_invalid',
    at: ['applications'],
    message: 'applications must be a list',
    specificHint: 'start each application with `- app_id:`',
  } as const;
  if (value) scope.report.error(finding);
  else scope.report.strictError(finding);
}

/** Ids and manifests of the previous entries. */
interface SeenEntries {
  readonly ids: Set<string>;
  /** Path of a manifest → the app_id in it, or undefined when it could not be read. */
  readonly manifests: Map<string, string | undefined>;
}

/** Reads one entry of `applications`. */
class ApplicationReader {
  readonly #scope: Scope;
  readonly #path: Path;

  constructor(scope: Scope, path: Path) {
    this.#scope = scope;
    this.#path = path;
  }

  read(entry: unknown, seen: SeenEntries): ResolvedApplicationRuntime | undefined {
    if (!isMapping(entry)) {
      this.#scope.report.error({
        code: 'workspace_shape_invalid',
        at: this.#path,
        message: 'each application entry must be a mapping',
        specificHint: `found ${kindOf(entry)}; write a mapping with app_id and config_path`,
      });
      return undefined;
    }
    const declared = ownProperty(entry, 'app_id');
    const id = asText(declared);
    this.#checkId(declared);
    const isDuplicate = this.#isDuplicate(id, seen.ids);
    const configPath = this.#configPath(entry);
    return isDuplicate || configPath === undefined ? undefined : this.#manifest(configPath, id, seen.manifests);
  }

  #isDuplicate(id: string, ids: Set<string>): boolean {
    if (ids.has(id)) {
      this.#scope.report.error({
        code: 'app_duplicate_id',
        at: [...this.#path, 'app_id'],
        message: `duplicate app_id '${id}'`,
        specificHint: 'use a unique id for each application',
      });
      return true;
    }
    ids.add(id);
    return false;
  }

  #checkId(value: unknown): void {
    const id = asText(value);
    const at = [...this.#path, 'app_id'];
    if (!isAbsent(value) && !isScalar(value)) {
      const message = `app_id must be a string (got ${kindOf(value)})`;
      this.#scope.report.strictError({ code: 'app_id_invalid', at, message });
    } else if (id.trim() === '') {
      this.#scope.report.strictError({ code: 'app_id_invalid', at, message: 'app_id must not be empty' });
    } else if (typeof value !== 'string') {
      this.#scope.report.warn({
        code: 'workspace_value_coerced',
        at,
        message: `app_id is ${kindOf(value)} and was interpreted as '${id}'`,
        specificHint: `quote it: "${id}"`,
      });
    }
  }

  /**
   * Returns the path of the manifest if it is among the references. An invalid path is reported, but its manifest is
   * still read.
   */
  #configPath(entry: Mapping): string | undefined {
    const at = [...this.#path, 'config_path'];
    const raw = ownProperty(entry, 'config_path');
    const path = asText(raw);
    const problem = pathProblem(path);
    const { report, references } = this.#scope;
    if (path.trim() === '' || !Object.hasOwn(references, path)) {
      const specificHint = problem
        ? `the path ${problem}; use a path inside the workspace`
        : adviceFor(raw, references);
      report.error({ code: 'app_config_not_found', at, message: `app config not found: '${path}'`, specificHint });
      return undefined;
    }
    if (typeof raw !== 'string') {
      const message = `config_path must be a string (got ${kindOf(raw)})`;
      report.strictError({ code: 'app_config_not_found', at, message });
    } else if (problem) {
      const message = `app config path '${path}' ${problem}`;
      report.strictError({ code: 'workspace_path_escapes', at, message });
    }
    return path;
  }

  #manifest(
    configPath: string,
    declaredId: string,
    manifests: SeenEntries['manifests'],
  ): ResolvedApplicationRuntime | undefined {
    const { findings } = this.#scope.report;
    if (manifests.has(configPath)) {
      this.#shared(configPath, declaredId, manifests.get(configPath));
      return undefined;
    }
    manifests.set(configPath, undefined);
    const file = readManifestYaml(this.#scope.references[configPath] ?? '');
    if (!file.ok) {
      reportFailure(findings, configPath, file, 'app_config_invalid_yaml');
      return undefined;
    }
    const report = new Report(findings, manifestLocator(configPath, file.value));
    checkDocument(findings, configPath, file.value);
    if (isMapping(file.value.value)) manifests.set(configPath, asText(ownProperty(file.value.value, 'app_id')));
    return readManifest({ report, configPath, declaredId, document: file.value });
  }

  /**
   * Ids are unique, so a second application with the same manifest has the wrong id. The manifest is not read again,
   * because its problems are already reported.
   */
  #shared(configPath: string, declaredId: string, id: string | undefined): void {
    if (id === undefined || id === declaredId) return;
    this.#scope.report.error({
      code: 'app_id_mismatch',
      at: [...this.#path, 'config_path'],
      displayPath: configPath,
      message: idMismatchMessage(id, declaredId),
      specificHint: 'another application uses this manifest; use a separate manifest for each application',
    });
  }
}

function adviceFor(raw: unknown, references: Readonly<Record<string, string>>): SpecificHint {
  if (isAbsent(raw) || raw === '')
    return 'set config_path to the manifest of the application, for example apps/<id>/app.runtime.yaml';
  if (typeof raw !== 'string') return `found ${kindOf(raw)}; write text`;
  if (raw.trim() !== raw) return 'remove the spaces around the path';
  return didYouMean(raw, () => Object.keys(references), 'add the file to the workspace, or correct the path');
}
