import { nearest, type Problem } from '@reins/contracts';
import { getMetadataStorage, type ValidationError } from 'class-validator';

/** The rules about the type of a value. If one of them is violated, the others say nothing more. */
const TYPE_RULES = ['isString', 'isInt', 'isNumber', 'isBoolean', 'isObject', 'isArray'];

/** Converts each validation error to problems with its path. Values are omitted, since they may be secrets. */
export function ruleProblems(errors: readonly ValidationError[], at: string): Problem[] {
  return errors.flatMap((error) => {
    const path = `${at}${error.property}`;
    return [...ownProblems(error, path), ...ruleProblems(error.children ?? [], `${path}.`)];
  });
}

function ownProblems({ constraints = {}, property, value, target }: ValidationError, path: string): Problem[] {
  const violated = Object.entries(constraints);
  if (violated.length === 0) return [];
  if (value === undefined) return [{ code: 'settings_invalid', message: `${path} is missing`, path }];
  const type = violated.find(([rule]) => TYPE_RULES.includes(rule));
  return (type ? [type] : violated).map(([rule, message]) => {
    const hint = rule === 'isIn' ? hintFor(value, allowedFor(target, property)) : undefined;
    return { code: 'settings_invalid', message: sentence(path, property, message), path, ...(hint && { hint }) };
  });
}

function sentence(path: string, property: string, message: string): string {
  if (message.startsWith(`${property} `)) return `${path}${message.slice(property.length)}`;
  return message.startsWith('must ') ? `${path} ${message}` : `${path}: ${message}`;
}

/** The suggestion is one of the allowed values; the given value is not quoted. */
function hintFor(value: unknown, allowed: readonly string[]): string | undefined {
  const meant = typeof value === 'string' ? nearest(value, allowed) : undefined;
  return meant === undefined ? undefined : `Did you mean ${meant}?`;
}

function allowedFor(target: object | undefined, property: string): readonly string[] {
  if (target === undefined) return [];
  const rules = getMetadataStorage().getTargetValidationMetadatas(target.constructor, '', false, false);
  const rule = rules.find(({ propertyName, name }) => propertyName === property && name === 'isIn');
  const [allowed] = rule?.constraints ?? [];
  return Array.isArray(allowed) ? allowed.filter((each) => typeof each === 'string') : [];
}

/** The names of the settings of a class, from its rules. */
export const settingNamesOf = (settings: new () => object): readonly string[] => [
  ...new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(settings, '', false, false)
      .map(({ propertyName }) => propertyName),
  ),
];
