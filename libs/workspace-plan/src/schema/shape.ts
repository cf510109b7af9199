/**
 * The part of JSON Schema that describes our files. A shape is the single source of the schema for editors, of the
 * known keys at each level and, with `readShape`, of the checks.
 */
export interface Shape {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly description: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  /** Absent: unknown keys are reported as warnings. A shape: any key is allowed, and its value must have this shape. */
  readonly additionalProperties?: Shape | true;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly deprecated?: boolean;
  /** Set when no value is allowed. */
  readonly not?: Readonly<Record<string, never>>;
  /** Alternatives. The first one of the matching type is used. */
  readonly anyOf?: readonly Shape[];
}

/** A shape that accepts any value. */
export const anything = (description: string): Shape => ({ description });

export const string = (description: string, more: Partial<Shape> = {}): Shape => ({
  type: 'string',
  description,
  ...more,
});

/** A string that is not blank. */
export const name = (description: string, more: Partial<Shape> = {}): Shape =>
  string(description, { pattern: '\\S', ...more });

export const list = (description: string, items: Shape, more: Partial<Shape> = {}): Shape => ({
  type: 'array',
  description,
  items,
  ...more,
});

export const mapping = (
  description: string,
  properties: Readonly<Record<string, Shape>>,
  more: Partial<Shape> = {},
): Shape => ({ type: 'object', description, properties, ...more });

/** A mapping with arbitrary keys. */
export const named = (description: string, each: Shape, more: Partial<Shape> = {}): Shape => ({
  type: 'object',
  description,
  additionalProperties: each,
  ...more,
});
