import { isAbsent, isMapping, kindOf, type Mapping, type Path } from '../compile/values.ts';
import type { DiagnosticCode } from '../diagnostics/codes.ts';
import { formatPath } from '../diagnostics/path.ts';
import type { Report, SpecificHint } from '../diagnostics/report.ts';
import { didYouMean } from '../diagnostics/suggest.ts';
import { PATTERN_DESCRIPTIONS } from './patterns.ts';
import type { Shape } from './shape.ts';
import { toJson } from './to-json.ts';

const TYPE_NAMES: Readonly<Record<NonNullable<Shape['type']>, string>> = {
  object: 'a mapping',
  array: 'a list',
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
};

/**
 * Reads a value of the given shape, without type conversion. Every difference is reported. Returns a copy in plain
 * JSON, or undefined when anything is wrong.
 */
export function readShape(report: Report, value: unknown, shape: Shape, path: Path, code: DiagnosticCode): unknown {
  return new ShapeReader(report, code).read(value, shape, path);
}

class ShapeReader {
  readonly #report: Report;
  readonly #code: DiagnosticCode;

  constructor(report: Report, code: DiagnosticCode) {
    this.#report = report;
    this.#code = code;
  }

  read(value: unknown, shape: Shape, path: Path): unknown {
    if (shape.anyOf) return this.read(value, this.#alternative(value, shape.anyOf), path);
    if (shape.type === undefined) return this.#readAnything(value, path);
    const problem = this.#problem(value, shape);
    if (problem !== undefined) return this.#reportError(path, problem, adviceFor(value, shape));
    if (Array.isArray(value)) return this.#list(value as unknown[], shape, path);
    return isMapping(value) ? this.#mapping(value, shape, path) : value;
  }

  /** The first alternative of the matching type; otherwise the first one, whose errors are then reported. */
  #alternative(value: unknown, alternatives: readonly Shape[]): Shape {
    return alternatives.find((each) => typeProblem(value, each) === undefined) ?? (alternatives[0] as Shape);
  }

  #problem(value: unknown, shape: Shape): string | undefined {
    return typeProblem(value, shape) ?? textProblem(value, shape) ?? numberProblem(value, shape);
  }

  #readAnything(value: unknown, path: Path): unknown {
    const json = toJson(value);
    return json === undefined ? this.#reportError(path, 'cannot be written as JSON') : json;
  }

  #list(values: readonly unknown[], shape: Shape, path: Path): readonly unknown[] | undefined {
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems, items } = shape;
    if (values.length < minItems)
      return this.#reportError(path, `must have at least ${minItems} entries`, 'add an entry, or remove the key');
    if (values.length > maxItems) return this.#reportError(path, `must have at most ${maxItems} entries`);
    const read = values.map((value, index) => (items ? this.read(value, items, [...path, index]) : toJson(value)));
    if (read.includes(undefined)) return undefined;
    const repeated = uniqueItems ? firstRepeated(read) : -1;
    return repeated < 0 ? read : this.#reportError([...path, repeated], 'is a duplicate', 'remove the duplicate');
  }

  #mapping(value: Mapping, shape: Shape, path: Path): unknown {
    const { properties = {}, additionalProperties, required = [] } = shape;
    const result: Record<string, unknown> = {};
    let complete = true;
    for (const key of required) {
      if (Object.hasOwn(value, key) && !isAbsent(value[key])) continue;
      complete = false;
      this.#reportError(path, `requires '${key}'`);
    }
    for (const [key, entry] of Object.entries(value)) {
      const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
      if (known && isAbsent(entry)) continue; // an empty field counts as absent
      const memberShape = known ?? additionalProperties;
      if (memberShape === undefined) continue; // unknown keys are reported by `warnUnknownKeys`
      const read =
        memberShape === true
          ? this.#readAnything(entry, [...path, key])
          : this.read(entry, memberShape, [...path, key]);
      if (read === undefined) complete = false;
      else Object.defineProperty(result, key, { value: read, enumerable: true, writable: true, configurable: true });
    }
    return complete ? result : undefined;
  }

  #reportError(path: Path, problem: string, specificHint?: SpecificHint): undefined {
    this.#report.strictError({ code: this.#code, at: path, message: `${fieldName(path)} ${problem}`, specificHint });
    return undefined;
  }
}

/** The name of the field in a message, from the last part of the path: `'stages[1]'`. */
function fieldName(path: Path): string {
  const from = path.findLastIndex((segment) => typeof segment === 'string');
  return path.length === 0 ? 'the document' : `'${formatPath(path.slice(Math.max(from, 0)))}'`;
}

function firstRepeated(values: readonly unknown[]): number {
  const seen = new Set<unknown>();
  return values.findIndex((value) => seen.size === seen.add(value).size);
}

function typeProblem(value: unknown, { type }: Shape): string | undefined {
  const matches =
    type === undefined ||
    (type === 'object' && isMapping(value)) ||
    (type === 'array' && Array.isArray(value)) ||
    (type === 'integer' && Number.isInteger(value)) ||
    (type === 'number' && typeof value === 'number' && Number.isFinite(value)) ||
    (type === typeof value && type !== 'object' && type !== 'number');
  if (matches) return undefined;
  return `must be ${TYPE_NAMES[type]} (got ${typeof value === 'number' ? numberKind(value, type) : kindOf(value)})`;
}

/** Describes a number of the wrong type. */
function numberKind(value: number, type: Shape['type']): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '`.nan`' : '`.inf`';
  return type === 'integer' ? 'a fraction' : 'a number';
}

function textProblem(value: unknown, shape: Shape): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (shape.enum && !shape.enum.includes(value)) return `must be one of: ${shape.enum.join(', ')}`;
  if (shape.maxLength !== undefined && value.length > shape.maxLength) {
    return `must not be longer than ${shape.maxLength} characters`;
  }
  if (shape.pattern === '\\S' && value.trim() === '') return 'must not be blank';
  if (shape.pattern && !new RegExp(shape.pattern).test(value)) {
    return `must be ${PATTERN_DESCRIPTIONS[shape.pattern] ?? `a text that matches ${shape.pattern}`}`;
  }
  return undefined;
}

function numberProblem(value: unknown, shape: Shape): string | undefined {
  if (typeof value !== 'number') return undefined;
  const { minimum, maximum, exclusiveMinimum } = shape;
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`;
  if (maximum !== undefined && value > maximum) return `must be at most ${maximum}`;
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return `must be greater than ${exclusiveMinimum}`;
  return undefined;
}

function adviceFor(value: unknown, shape: Shape): SpecificHint {
  if (typeof value === 'number') return rangeAdvice(shape);
  if (typeof value !== 'string') return undefined;
  const known = shape.enum;
  if (known) return didYouMean(value, () => known);
  return shape.type === 'string' && shape.examples ? `for example ${shape.examples.join(', ')}` : undefined;
}

function rangeAdvice({ type, minimum, maximum, exclusiveMinimum }: Shape): string | undefined {
  if (type !== 'integer' && type !== 'number') return undefined;
  const lowerBound = exclusiveMinimum === undefined ? undefined : `greater than ${exclusiveMinimum}`;
  const range = minimum !== undefined && maximum !== undefined ? `from ${minimum} to ${maximum}` : lowerBound;
  return range && `write ${TYPE_NAMES[type]} ${range}`;
}
