import { isObject, type JsonObject, type Problem } from '@reins/contracts';

/** Settings whose names can be shown, and the problems of the others. */
interface NamedSettings {
  readonly named: JsonObject;
  readonly problems: readonly Problem[];
}

/**
 * Removes the members whose name may be a value. A misplaced character turns the value of a setting into a name, and
 * the value may be a secret: `{api_key:"sk-…}` is a name without a value in YAML. The problem says where the name is
 * and omits its text. A member with a known name may be empty, which means the same as its absence.
 * @param known the names of all settings, as `Settings` writes them
 */
export function withoutUnclearNames(settings: JsonObject, known: ReadonlySet<string>): NamedSettings {
  const problems: Problem[] = [];
  const visit = (value: unknown, path: string): unknown => {
    // The settings of a runtime are its own: their names are not known here, and no message quotes them.
    if (!isObject(value) || path === 'harness') return value;
    const members = Object.entries(value).filter(([name, item]) => {
      const reason = reasonOf(name, item, known);
      if (reason !== undefined) problems.push(unclearName(path, reason));
      return reason === undefined;
    });
    return Object.fromEntries(
      members.map(([name, item]) => [name, visit(item, path === '' ? name : `${path}.${name}`)]),
    );
  };
  return { named: visit(settings, '') as JsonObject, problems };
}

/** Names of settings, ids of providers and models, names of headers. */
const NAME = /^[\w.:/@+-]{1,128}$/;

function reasonOf(name: string, value: unknown, known: ReadonlySet<string>): string | undefined {
  if (!NAME.test(name)) return 'a name with a character that names cannot have';
  return value === null && !known.has(name) ? 'a name without a value' : undefined;
}

const unclearName = (path: string, reason: string): Problem => ({
  code: 'settings_invalid',
  message: path === '' ? `the settings have ${reason}` : `${path} has ${reason}`,
  path,
  hint: 'Write each setting as `name: value`. The text of this name is not shown, because it may be a secret.',
});
