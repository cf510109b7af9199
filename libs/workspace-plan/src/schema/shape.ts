/**
 * The part of JSON Schema that describes our files. A shape is the one source of three things: the schema that editors use,
 * the keys that are known at a level, and (for what `readShape` reads) the checks themselves.
 */
export interface Shape {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly description: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  /** Absent: other keys are warned about. A shape: authors choose the keys, and this is what stands under each. */
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
  /** Nothing may stand here. */
  readonly not?: Readonly<Record<string, never>>;
  /** Either of these; the first one that fits by its type is used. */
  readonly anyOf?: readonly Shape[];
}

/** A shape that says nothing about its value. */
export const anything = (description: string): Shape => ({ description });

export const string = (description: string, more: Partial<Shape> = {}): Shape => ({
  type: 'string',
  description,
  ...more,
});

/** A text that says something. */
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

/** A mapping whose keys the author chooses. */
export const named = (description: string, each: Shape, more: Partial<Shape> = {}): Shape => ({
  type: 'object',
  description,
  additionalProperties: each,
  ...more,
});
