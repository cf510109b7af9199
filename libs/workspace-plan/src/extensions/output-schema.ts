import { isMapping, type Mapping, ownProperty, type Path } from '../compile/values.ts';
import type { Report } from '../diagnostics/report.ts';
import { didYouMean } from '../diagnostics/suggest.ts';

/** JSON Schema, validation vocabulary, section 6.1.1. */
const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];
/** Keywords whose value is one schema, a list of schemas, or schemas by name. */
const ONE = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'];
const SEVERAL = ['items', 'prefixItems', 'anyOf', 'oneOf', 'allOf'];
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions'];

/**
 * Reports every unknown `type`, because no output could satisfy it. `schema` is a copy in plain JSON, so it has no
 * cycles and a limited depth. Other errors are left to the validator.
 */
export function checkSchemaTypes(report: Report, schema: Mapping, path: Path): void {
  new SchemaWalk(report, path).schema(schema);
}

class SchemaWalk {
  readonly #report: Report;
  /** The path of the value that is being checked. */
  readonly #path: (string | number)[];

  constructor(report: Report, path: Path) {
    this.#report = report;
    this.#path = [...path];
  }

  schema(schema: unknown): void {
    if (!isMapping(schema)) return;
    const type = ownProperty(schema, 'type');
    if (Array.isArray(type)) this.#descend('type', () => this.#each(type.entries(), (each) => this.#type(each)));
    else if (type !== undefined) this.#descend('type', () => this.#type(type));
    for (const key of ONE) this.#descend(key, () => this.schema(ownProperty(schema, key)));
    for (const key of SEVERAL) {
      const schemas = ownProperty(schema, key);
      if (Array.isArray(schemas)) this.#descend(key, () => this.#each(schemas.entries(), (each) => this.schema(each)));
    }
    for (const key of NAMED) {
      const schemas = ownProperty(schema, key);
      if (!isMapping(schemas)) continue;
      this.#descend(key, () => this.#each(Object.entries(schemas), (each) => this.schema(each)));
    }
  }

  #each(entries: Iterable<readonly [string | number, unknown]>, check: (value: unknown) => void): void {
    for (const [key, value] of entries) this.#descend(key, () => check(value));
  }

  #descend(key: string | number, check: () => void): void {
    this.#path.push(key);
    check();
    this.#path.pop();
  }

  #type(type: unknown): void {
    if (typeof type === 'string' && TYPES.includes(type)) return;
    const name = typeof type === 'string' ? type : '';
    this.#report.strictError({
      code: 'workspace_field_invalid',
      at: [...this.#path],
      message: typeof type === 'string' ? `unknown JSON Schema type '${type}'` : 'a JSON Schema type must be a string',
      specificHint: didYouMean(name, () => TYPES, `use one of: ${TYPES.join(', ')}`),
    });
  }
}
