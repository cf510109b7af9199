import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';
import { nearest, type Problem, ReinsError } from '@reins/contracts';
import { Transform } from 'class-transformer';
import { getMetadataStorage, registerDecorator, type ValidationError, type ValidatorOptions } from 'class-validator';

const RULES: ValidatorOptions = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true };

/** The maximum depth of free-form JSON. */
export const MAX_DEPTH = 100;
/** The maximum depth of a body: free-form values are nested in its fields. */
const MAX_BODY_DEPTH = MAX_DEPTH + 5;

/** Validates bodies and queries against their classes and reports all problems in one error. */
export class RequestValidationPipe extends ValidationPipe {
  constructor() {
    super({
      ...RULES,
      transform: true,
      // The object of an error has the class that declares the known fields.
      validationError: { target: true, value: false },
      exceptionFactory: (errors) => new ReinsError(errors.flatMap((error) => problemsOf(error, ''))),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // class-transformer recurses, so a deeply nested value would overflow the stack.
    if (!depthWithin(value, MAX_BODY_DEPTH))
      throw new ReinsError({
        code: 'request_invalid',
        message: `the ${metadata.type} must have at most ${MAX_BODY_DEPTH} levels`,
        path: '',
      });
    const path = pathOfInfinity(value);
    if (path === undefined) return super.transform(value, metadata);
    throw new ReinsError({ code: 'request_invalid', message: `${path || 'the body'} is a number out of range`, path });
  }
}

/** Where a body has a number beyond the range of JavaScript, such as 1e400: JSON would write it as null. */
function pathOfInfinity(value: unknown, path = ''): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, item] of Object.entries(value)) {
    const found = pathOfInfinity(item, Array.isArray(value) ? `${path}[${name}]` : path ? `${path}.${name}` : name);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function depthWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((item) => depthWithin(item, levels - 1));
}

function problemsOf({ property, constraints, children, target }: ValidationError, at: string): Problem[] {
  const path = at === '' ? property : /^\d+$/.test(property) ? `${at}[${property}]` : `${at}.${property}`;
  const own = Object.entries(constraints ?? {}).map(([rule, message]) =>
    problem({ path, property, target }, rule, message),
  );
  return [...own, ...(children ?? []).flatMap((child) => problemsOf(child, path))];
}

/** Where a value is: its path, its name, and the object that has it. */
interface Place extends Pick<ValidationError, 'property'> {
  readonly target: ValidationError['target'];
  readonly path: string;
}

function problem({ path, property, target }: Place, rule: string, message: string): Problem {
  if (rule !== 'whitelistValidation') return { code: 'request_invalid', message, path };
  const meant = nearest(property, fieldsOf(target));
  const hint = meant === undefined ? {} : { hint: `Did you mean ${meant}?` };
  return { code: 'request_invalid', message: `unknown field ${path}`, path, ...hint };
}

/** The fields that the class of an object declares. */
function fieldsOf(target: object | undefined): ReadonlySet<string> {
  if (!target) return new Set();
  const rules = getMetadataStorage().getTargetValidationMetadatas(target.constructor, '', false, false);
  return new Set(rules.map(({ propertyName }) => propertyName));
}

/** Keeps the original value: the transformer must not copy free-form JSON. */
export const Untransformed = (): PropertyDecorator =>
  Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) => obj[key]);

/**
 * A custom validation rule. `expected` describes a valid value, for the error message; `schema` describes it in OpenAPI.
 */
export function Satisfies(test: (value: unknown) => boolean, expected: string, schema: object = {}): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name: expected,
      target: target.constructor,
      propertyName: String(property),
      constraints: [schema],
      validator: {
        validate: (value: unknown) => test(value),
        defaultMessage: (given) => `${given?.property} must be ${expected}`,
      },
    });
  };
}
