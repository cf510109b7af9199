import type { DiagnosticCode } from '../diagnostics/codes.ts';
import type { Report } from '../diagnostics/report.ts';
import { ENV_NAME_PATTERN } from '../schema/patterns.ts';
import { isAbsent, isMapping, kindOf, type Mapping, own, type Path } from './values.ts';

const ENV_NAME = new RegExp(ENV_NAME_PATTERN);

/** One section of a manifest: reads fields, reports those of the wrong type, and gives undefined for what is absent. */
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
    return own(this.#values, field);
  }

  keys(): readonly string[] {
    return Object.keys(this.#values);
  }

  /** A sub-section; an empty one where it is absent or no mapping. */
  section(field: string): ManifestFields {
    const value = this.raw(field);
    if (!isAbsent(value) && !isMapping(value)) this.wrong(field, 'a mapping');
    return new ManifestFields(this.report, this.configPath, isMapping(value) ? value : {}, [...this.path, field]);
  }

  text(field: string): string | undefined {
    const value = this.raw(field);
    if (typeof value === 'string') return value;
    if (!isAbsent(value)) this.wrong(field, 'text');
    return undefined;
  }

  /** A list of texts; what is no text is reported and left out. */
  texts(field: string): readonly string[] {
    return this.#entries(field).flatMap(([, entry]) => (typeof entry === 'string' ? [entry] : []));
  }

  /** A list of names of environment variables, each once. */
  environmentNames(field: string): readonly string[] {
    const names = new Set<string>();
    for (const [index, entry] of this.#entries(field)) {
      if (typeof entry !== 'string') continue;
      const at = [...this.path, field, index];
      if (entry.trim() === '') this.stricter([field, index], 'app_manifest_field_invalid', 'a name must not be blank');
      else if (names.has(entry))
        this.report.warn({ code: 'workspace_key_collision', at, message: `'${entry}' stands here twice` });
      else if (!ENV_NAME.test(entry)) {
        this.report.warn({
          code: 'app_manifest_field_invalid',
          at,
          message: 'this is not the name of an environment variable',
          advice: 'letters, digits and _, no digit first, no blanks',
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
      this.wrong(field, 'a list');
      return [];
    }
    for (const [index, entry] of (value as unknown[]).entries()) {
      if (typeof entry === 'string') continue;
      this.stricter([field, index], 'app_manifest_field_invalid', `expected text, found ${kindOf(entry)}`);
    }
    return [...(value as unknown[]).entries()];
  }

  wrong(field: string, expected: string): void {
    const found = kindOf(this.raw(field));
    this.stricter([field], 'app_manifest_field_invalid', `'${field}' must be ${expected}, not ${found}`);
  }

  stricter(field: Path, code: DiagnosticCode, message: string, advice?: string): void {
    this.report.stricter({ code, at: [...this.path, ...field], message, advice });
  }
}
