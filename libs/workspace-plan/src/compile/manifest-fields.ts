import type { ErrorCode } from '@reins/contracts';
import type { FileReport } from '../diagnostics/findings.ts';
import { formatPath } from '../diagnostics/path.ts';
import { isAbsent, isMapping, kindOf, type Mapping, own, type Path } from './values.ts';

/** One section of a manifest: reads fields, reports those of the wrong type, and gives undefined for what is absent. */
export class ManifestFields {
  readonly report: FileReport;
  readonly configPath: string;
  readonly path: Path;
  readonly #values: Mapping;

  constructor(report: FileReport, configPath: string, values: Mapping, path: Path) {
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
    const value = this.raw(field);
    if (isAbsent(value)) return [];
    if (!Array.isArray(value)) {
      this.wrong(field, 'a list');
      return [];
    }
    return (value as unknown[]).flatMap((entry, index) => {
      if (typeof entry === 'string') return [entry];
      this.stricter([field, index], 'app_manifest_field_invalid', `expected text, found ${kindOf(entry)}`);
      return [];
    });
  }

  wrong(field: string, expected: string): void {
    const found = kindOf(this.raw(field));
    this.stricter([field], 'app_manifest_field_invalid', `'${field}' must be ${expected}, not ${found}`);
  }

  stricter(field: Path, code: ErrorCode, message: string, hint: string | null = null): void {
    this.report.stricter({ code, at: this.at(field), message, hint });
  }

  at(field: Path): { readonly path: Path; readonly shown: string } {
    const path = [...this.path, ...field];
    return { path, shown: `${this.configPath}:${formatPath(path)}` };
  }
}
