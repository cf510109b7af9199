import { isObject, nearest, type Problem } from '@reins/contracts';
import type { AdapterSetting } from '../contract.ts';
import { type HarnessRegistry, unknownRuntime } from './registry.ts';

/** The settings of every runtime: limits between two signs of life, and of one tool call. The host reads them. */
const OF_EVERY_RUNTIME: Readonly<Record<string, AdapterSetting>> = {
  idleMs: 'positive',
  noProgressMs: 'positive',
  toolMs: 'positive',
};

const RULES: Readonly<
  Record<AdapterSetting, { readonly accepts: (value: unknown) => boolean; readonly rule: string }>
> = {
  text: { accepts: (value) => typeof value === 'string' && value.trim() !== '', rule: 'a string' },
  count: { accepts: (value) => Number.isSafeInteger(value) && Number(value) >= 0, rule: 'a whole number of 0 or more' },
  positive: {
    accepts: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
    rule: 'a whole number of 1 or more',
  },
};

/**
 * The problems of the settings `harness.<runtimeId>`: unknown runtimes (`harness_unknown`), unknown names and invalid
 * values (`settings_invalid`). The settings of an adapter that declares none are not checked. Pure.
 */
export function adapterSettingsProblems(
  registry: HarnessRegistry,
  harness: Readonly<Record<string, unknown>>,
): readonly Problem[] {
  return Object.entries(harness).flatMap(([runtimeId, given]) => {
    const path = `harness.${runtimeId}`;
    if (!registry.has(runtimeId)) return [unknownRuntime({ runtimeId, path }, registry.runtimeIds)];
    const { settings } = registry.get(runtimeId);
    return settings === undefined ? [] : problemsOf(path, given, { ...settings, ...OF_EVERY_RUNTIME });
  });
}

function problemsOf(path: string, given: unknown, known: Readonly<Record<string, AdapterSetting>>): Problem[] {
  if (given === null || given === undefined) return [];
  if (!isObject(given))
    return [invalid(path, `${path} must be a mapping of settings`, `Use one of ${Object.keys(known).join(', ')}.`)];
  return Object.entries(given).flatMap(([name, value]) => {
    const setting = known[name];
    const at = `${path}.${name}`;
    if (setting === undefined) return [unknownSetting(at, name, Object.keys(known))];
    const { accepts, rule } = RULES[setting];
    if (value === null || accepts(value)) return [];
    return [invalid(at, `${at} must be ${rule}`, `Change the value, or remove it to use the default.`)];
  });
}

function unknownSetting(path: string, name: string, known: readonly string[]): Problem {
  const meant = nearest(name, known);
  const hint = meant === undefined ? `Use one of ${known.join(', ')}.` : `Did you mean ${meant}?`;
  return invalid(path, `unknown setting ${path}`, hint);
}

const invalid = (path: string, message: string, hint: string): Problem => ({
  code: 'settings_invalid',
  message,
  path,
  hint,
});
