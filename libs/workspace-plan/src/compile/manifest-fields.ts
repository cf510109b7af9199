import type { DiagnosticCode } from '../diagnostics/codes.ts';
import type { Report } from '../diagnostics/report.ts';
import { ENV_NAME_PATTERN } from '../schema/patterns.ts';
import { isAbsent, isMapping, kindOf, type Mapping, ownProperty, type Path } from './values.ts';

const ENV_NAME = new RegExp(ENV_NAME_PATTERN);

/**
 * One section of a manifest. Reads fields, reports values of the wrong type, and returns undefined for absent fields.
 */
export class ManifestFields {
  readonly report: Report;
  readonly configPath: string;
  readonly path: Path;
  readonly #values: Mapping;

  constructor(report: Report, configPath: string, values: Mapping, path: Path) {
    this.report = report;
    this.configPath = configPath;
    this.#values = values;
    this.path = path;
  }

  raw(field: string): unknown {
    return ownProperty(this.#values, field);
  }

  keys(): readonly string[] {
    return Object.keys(this.#values);
  }

  /** A subsection. Empty when the field is absent or not a mapping. */
  section(field: string): ManifestFields {
    const value = this.raw(field);
    if (!isAbsent(value) && !isMapping(value)) this.reportType(field, 'a mapping');
    return new ManifestFields(this.report, this.configPath, isMapping(value) ? value : {}, [...this.path, field]);
  }

  text(field: string): string | undefined {
    const value = this.raw(field);
    if (typeof value === 'string') return value;
    if (!isAbsent(value)) this.reportType(field, 'a string');
    return undefined;
  }

  /** A list of strings. Other values are reported and skipped. */
  strings(field: string): readonly string[] {
    return this.#entries(field).flatMap(([, entry]) => (typeof entry === 'string' ? [entry] : []));
  }

  /** A list of names of environment variables, without duplicates. */
  environmentNames(field: string): readonly string[] {
    const names = new Set<string>();
    for (const [index, entry] of this.#entries(field)) {
      if (typeof entry !== 'string') continue;
      const at = [...this.path, field, index];
      if (entry.trim() === '')
        this.strictError([field, index], 'app_manifest_field_invalid', 'a variable name must not be blank');
      else if (names.has(entry))
        this.report.warn({ code: 'workspace_key_collision', at, message: `duplicate variable name '${entry}'` });
      else if (!ENV_NAME.test(entry)) {
        this.report.warn({
          code: 'app_manifest_field_invalid',
          at,
          message: `'${entry}' is not a valid name for an environment variable`,
          specificHint: 'use letters, digits and _, and do not start with a digit',
        });
      }
      names.add(entry);
    }
    return [...names];
  }

  #entries(field: string): readonly (readonly [index: number, entry: unknown])[] {
    const value = this.raw(field);
    if (isAbsent(value)) return [];
    if (!Array.isArray(value)) {
      this.reportType(field, 'a list');
      return [];
    }
    for (const [index, entry] of (value as unknown[]).entries()) {
      if (typeof entry === 'string') continue;
      this.strictError([field, index], 'app_manifest_field_invalid', `must be a string (got ${kindOf(entry)})`);
    }
    return [...(value as unknown[]).entries()];
  }

  reportType(field: string, expected: string): void {
    const found = kindOf(this.raw(field));
    this.strictError([field], 'app_manifest_field_invalid', `'${field}' must be ${expected} (got ${found})`);
  }

  strictError(field: Path, code: DiagnosticCode, message: string, specificHint?: string): void {
    this.report.strictError({ code, at: [...this.path, ...field], message, specificHint });
  }
}
