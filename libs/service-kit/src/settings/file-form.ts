import { isObject, type JsonObject, ReinsError } from '@reins/contracts';

type Members = Readonly<Record<string, unknown>>;

/**
 * The settings of a file under the names of `Settings`: a file may write `runtime_profile` for `runtimeProfile`, and
 * may have it within `orchestrator`. Ids inside maps stay as they are written.
 * @throws ReinsError `settings_invalid` when the file has the runtime profile in both places
 */
export function fileForm(file: JsonObject): Record<string, unknown> {
  return camelKeys(withoutOrchestrator(file)) as Record<string, unknown>;
}

/** Removes settings that are null: null and absent mean the same. Members of maps stay, except stages. */
export function withoutUnset(settings: Members): Record<string, unknown> {
  return mapped(withoutNulls(settings), (section, name) => {
    if (!isObject(section) || MAPS.has(name)) return section;
    return mapped(withoutNulls(section), (value, key) =>
      isObject(value) && (NESTED.has(name) || (name === 'runtimeProfile' && key === 'stages'))
        ? withoutNulls(value)
        : value,
    );
  });
}

/** Top-level settings whose members are ids, not names of settings. */
const MAPS: ReadonlySet<string> = new Set(['providers', 'harness']);
/** Top-level settings whose members are sections. */
const NESTED: ReadonlySet<string> = new Set(['protocols']);
const PROFILE_NAMES = ['runtime_profile', 'runtimeProfile'];

function withoutOrchestrator({ orchestrator, ...settings }: JsonObject): Members {
  if (!isObject(orchestrator)) return orchestrator === undefined ? settings : { ...settings, orchestrator };
  const name = PROFILE_NAMES.find((each) => orchestrator[each] != null);
  if (name !== undefined && PROFILE_NAMES.some((each) => settings[each] != null)) throw doubleProfile(name);
  // Other members keep their path, so that they are reported as unknown.
  const rest = Object.entries(orchestrator).filter(([key]) => !PROFILE_NAMES.includes(key));
  const own = Object.fromEntries(rest.map(([key, value]) => [`orchestrator.${key}`, value]));
  return { ...settings, ...own, ...(name !== undefined && { [name]: orchestrator[name] }) };
}

const doubleProfile = (name: string): ReinsError =>
  new ReinsError({
    code: 'settings_invalid',
    message: `the file has both runtime_profile and orchestrator.${name}`,
    path: `orchestrator.${name}`,
    hint: 'Remove one of them.',
  });

function camelKeys(value: unknown, depth = 0): unknown {
  if (!isObject(value) || depth > 1) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const name = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      if (depth === 0 && MAPS.has(name)) return [name, mapOf(name, item)];
      return [name, camelKeys(item, depth === 0 && NESTED.has(name) ? depth : depth + 1)];
    }),
  );
}

const mapOf = (name: string, value: unknown): unknown =>
  name === 'providers' && isObject(value) ? mapped(value, providerForm) : value;

function providerForm(provider: unknown): unknown {
  const form = camelKeys(provider, 1);
  if (!isObject(form) || !isObject(form.models)) return form;
  return { ...form, models: mapped(form.models, (model) => camelKeys(model, 1)) };
}

const withoutNulls = (members: Members): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));

const mapped = (members: Members, change: (value: unknown, key: string) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).map(([key, value]) => [key, change(value, key)]));
