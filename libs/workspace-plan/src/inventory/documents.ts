import { checkDocument } from '../compile/document-checks.ts';
import { reportFailure } from '../compile/report-failure.ts';
import { isMapping, kindOf, type Mapping, ownProperty, text } from '../compile/values.ts';
import type { Findings } from '../diagnostics/findings.ts';
import { manifestLocator } from '../diagnostics/locator.ts';
import { Report } from '../diagnostics/report.ts';
import { didYouMean } from '../diagnostics/suggest.ts';
import { readShape } from '../schema/read-shape.ts';
import type { Shape } from '../schema/shape.ts';
import { warnUnknownKeys } from '../schema/unknown-keys.ts';
import { readYamlAll, type YamlDocument } from '../yaml/document.ts';
import { documentShape, FAMILIES, type Family, familyOf, KINDS, type Kind } from './shapes.ts';

/** One document of the inventory. */
export interface InventoryEntry {
  readonly kind: string;
  readonly name: string;
  /** The spec, checked against the shape of its kind; undefined when it is invalid. */
  readonly spec: Mapping | undefined;
  /** The whole document as written. */
  readonly raw: Mapping;
  readonly file: string;
  readonly document: YamlDocument;
  readonly report: Report;
}

/** The documents of an inventory by kind, in file order. */
export class Documents {
  readonly #entries: InventoryEntry[] = [];
  readonly #byName = new Map<string, InventoryEntry>();
  /** Set when a file could not be read, so that some names may be missing. */
  incomplete = false;

  add(entry: InventoryEntry): void {
    const existing = this.#byName.get(keyOf(entry.kind, entry.name));
    if (existing) {
      entry.report.strictError({
        code: 'inventory_name_duplicate',
        at: ['metadata', 'name'],
        message: `duplicate ${entry.kind} '${entry.name}' (also in ${existing.file})`,
        specificHint: 'use a unique name for each document of a kind',
      });
      return;
    }
    this.#entries.push(entry);
    this.#byName.set(keyOf(entry.kind, entry.name), entry);
  }

  get size(): number {
    return this.#entries.length;
  }

  of(kind: Kind): readonly InventoryEntry[] {
    return this.#entries.filter((entry) => entry.kind === kind);
  }

  family(family: Family): readonly InventoryEntry[] {
    return this.#entries.filter((entry) => !Object.hasOwn(KINDS, entry.kind) && familyOf(entry.kind) === family);
  }

  find(kind: Kind, name: string): InventoryEntry | undefined {
    return this.#byName.get(keyOf(kind, name));
  }
}

function keyOf(kind: string, name: string): string {
  return `${kind}/${name}`;
}

const CONFIG_FILE = /^config\/.*\.ya?ml$/;

/** Whether a file of the workspace can contain documents of an inventory. */
export function isInventoryFile(path: string): boolean {
  return CONFIG_FILE.test(path);
}

/** Reads all documents of all files, ordered by path. */
export function readDocuments(findings: Findings, files: Readonly<Record<string, string>>): Documents {
  const documents = new Documents();
  for (const file of Object.keys(files).filter(isInventoryFile).sort()) {
    const read = readYamlAll(files[file] ?? '');
    if (!read.ok) {
      reportFailure(findings, file, read, 'workspace_config_invalid_yaml');
      documents.incomplete = true;
      continue;
    }
    for (const [index, document] of read.value.entries()) {
      checkDocument(findings, file, document);
      const displayName = read.value.length > 1 ? `${file}[${index}]` : file;
      const entry = readEntry(new Report(findings, manifestLocator(displayName, document, file)), file, document);
      if (entry) documents.add(entry);
    }
  }
  return documents;
}

function readEntry(report: Report, file: string, document: YamlDocument): InventoryEntry | undefined {
  const raw = document.value;
  if (raw === null || raw === undefined) return undefined; // an empty document, for example after a trailing `---`
  if (!isMapping(raw)) {
    report.strictError({
      code: 'inventory_document_invalid',
      at: [],
      message: `a document must be a mapping (got ${kindOf(raw)})`,
    });
    return undefined;
  }
  const kind = text(ownProperty(raw, 'kind'));
  const shape = kind === undefined ? undefined : shapeOf(kind);
  if (kind === undefined || !shape) {
    reportKind(report, kind);
    return undefined;
  }
  const whole = documentShape(kind, shape);
  warnUnknownKeys(report, raw, whole);
  const metadata = ownProperty(raw, 'metadata');
  const name = isMapping(metadata) ? text(ownProperty(metadata, 'name')) : undefined;
  const read = readShape(report, raw, whole, [], 'inventory_document_invalid') as { spec?: Mapping } | undefined;
  return name === undefined ? undefined : { kind, name, spec: read && (read.spec ?? {}), raw, file, document, report };
}

function shapeOf(kind: string): Shape | undefined {
  if (Object.hasOwn(KINDS, kind)) return KINDS[kind as Kind];
  const family = familyOf(kind);
  return family && FAMILIES[family].shape;
}

/** A document without a kind is ignored with a warning. An unknown kind is an error. */
function reportKind(report: Report, kind: string | undefined): void {
  if (kind === undefined) {
    report.warn({
      code: 'workspace_value_ignored',
      at: ['kind'],
      message: 'the document is ignored because it has no `kind`',
    });
    return;
  }
  report.strictError({
    code: 'inventory_kind_unknown',
    at: ['kind'],
    message: `unknown kind '${kind}'`,
    specificHint: didYouMean(
      kind,
      () => Object.keys(KINDS),
      `use one of: ${Object.keys(KINDS).join(', ')}, Memory…, …Protocol, …Policy`,
    ),
  });
}
