import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';
import { type Problem, ReinsError } from '@reins/contracts';
import { Transform } from 'class-transformer';
import { registerDecorator, type ValidationError, type ValidatorOptions } from 'class-validator';

const RULES: ValidatorOptions = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true };

/** Levels of JSON that no reader of it has to fear. */
export const MAX_DEPTH = 100;
/** Of a body: the free-form values stand below its fields. */
const MAX_BODY_DEPTH = MAX_DEPTH + 5;

/** Checks bodies and queries against their classes; everything that is wrong is told at once. */
export class RequestValidationPipe extends ValidationPipe {
  constructor() {
    super({
      ...RULES,
      transform: true,
      exceptionFactory: (errors) => new ReinsError(errors.flatMap((error) => problemsOf(error, ''))),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // The transformer follows every level by a call of its own.
    if (depthWithin(value, MAX_BODY_DEPTH)) return super.transform(value, metadata);
    throw new ReinsError({ code: 'request_invalid', message: `the body has more than ${MAX_DEPTH} levels`, path: '' });
  }
}

export function depthWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((item) => depthWithin(item, levels - 1));
}

function problemsOf({ property, constraints, children }: ValidationError, at: string): Problem[] {
  const path = at === '' ? property : /^\d+$/.test(property) ? `${at}[${property}]` : `${at}.${property}`;
  const own = Object.entries(constraints ?? {}).map(([rule, message]) => problem(path, rule, message));
  return [...own, ...(children ?? []).flatMap((child) => problemsOf(child, path))];
}

function problem(path: string, rule: string, message: string): Problem {
  if (rule === 'whitelistValidation') return { code: 'request_invalid', message: `there is no field ${path}`, path };
  return { code: 'request_invalid', message, path };
}

/** The value stays exactly as it came: free-form JSON is not the transformer's to copy. */
export const Untransformed = (): PropertyDecorator =>
  Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) => obj[key]);

/**
 * A rule of our own. `says` tells what a wrong value must be.
 */
export function Satisfies(test: (value: unknown) => boolean, says: string): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name: says,
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: (value: unknown) => test(value),
        defaultMessage: (given) => `${given?.property} must be ${says}`,
      },
    });
  };
}
