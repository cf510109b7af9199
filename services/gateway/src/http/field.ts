import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { getMetadataStorage, ValidationTypes } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';

type Schema = Record<string, unknown>;

/** What OpenAPI says about a value that a rule of class-validator accepts. */
const SCHEMAS: Readonly<Record<string, (limit: unknown) => Schema>> = {
  isInt: () => ({ type: 'integer' }),
  min: (minimum) => ({ minimum }),
  max: (maximum) => ({ maximum }),
  maxLength: (maxLength) => ({ maxLength }),
  isIn: (values) => ({ enum: values }),
  arrayMaxSize: (maxItems) => ({ maxItems }),
};

/**
 * Describes a field of a body or a query in OpenAPI by the rules that validate it, so that each rule is declared once.
 * Write it above the rules. The options add what rules do not express.
 */
export const Field =
  (options: ApiPropertyOptions = {}): PropertyDecorator =>
  (target, property) => {
    const rules = rulesOf(target, String(property));
    const required = !rules.some(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION);
    const schema = Object.assign({}, ...rules.filter(({ each }) => !each).map(schemaOf)) as Schema;
    if (isText(rules)) schema.minLength = 1;
    ApiProperty({ required, ...schema, ...options } as ApiPropertyOptions)(target, property);
  };

function rulesOf(target: object, property: string): ValidationMetadata[] {
  const all = getMetadataStorage().getTargetValidationMetadatas(target.constructor, '', false, false);
  return all.filter(({ propertyName }) => propertyName === property);
}

/** A rule of Reins has its schema as its constraint, see `Satisfies`. */
function schemaOf({ name = '', constraints }: ValidationMetadata): Schema {
  const [first] = constraints ?? [];
  const known = Object.hasOwn(SCHEMAS, name) ? SCHEMAS[name] : undefined;
  if (known) return known(first);
  return typeof first === 'object' && first !== null && !Array.isArray(first) ? (first as Schema) : {};
}

/** Whether a value must be a string that is not empty. */
function isText(rules: readonly ValidationMetadata[]): boolean {
  return ['isString', 'isNotEmpty'].every((rule) => rules.some(({ name }) => name === rule));
}
