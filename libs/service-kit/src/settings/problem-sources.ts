import { isObject, type JsonObject, type Problem } from '@reins/contracts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the settings of a process come from. */
export interface SettingsSources {
  readonly file: string | undefined;
  /** The content of the file, as it is written. */
  readonly content: JsonObject;
  readonly environment: Environment;
}

/**
 * Says where each problem is: in a variable, or in the file. Messages and hints about the file name settings as the file
 * writes them. The `path` of a problem stays the path of the setting.
 */
export function withSources(problems: readonly Problem[], sources: SettingsSources): Problem[] {
  const written = writtenPaths(sources.content);
  return problems.map((problem) => withSource(problem, sources, written));
}

function withSource(problem: Problem, { file, environment }: SettingsSources, written: WrittenPaths): Problem {
  const { path = '', message, hint } = problem;
  const variable = variablesOf(path).find((name) => environment[name]);
  if (variable !== undefined) return { ...problem, message: `${message} (in ${variable})` };
  const shown = file === undefined ? undefined : writtenPath(path, written);
  if (shown === undefined) return problem;
  const isCamel = /[A-Z]/.test(lastName(shown));
  return {
    ...problem,
    message: `${message.replaceAll(path, shown)} (in ${file})`,
    ...(hint !== undefined && { hint: isCamel ? hint : inSnakeCase(hint.replaceAll(path, shown)) }),
  };
}

/** The variables that can hold a setting, the most specific one first. */
function variablesOf(path: string): string[] {
  const names = path.split('.').map((name) => snake(name).toUpperCase());
  return names.map((_, index) => `REINS_${names.slice(0, names.length - index).join('_')}`);
}

/** By the path of a setting: the path as the file writes it. */
type WrittenPaths = ReadonlyMap<string, string>;

function writtenPaths(content: JsonObject): WrittenPaths {
  const found = new Map<string, string>();
  const visit = (value: unknown, path: string, written: string): void => {
    if (!isObject(value)) return;
    for (const [key, item] of Object.entries(value)) {
      const name = HOLDS_IDS.test(path) ? key : camel(key);
      // The runtime profile may be written within `orchestrator`.
      const at = path === '' || (path === 'orchestrator' && name === 'runtimeProfile') ? name : `${path}.${name}`;
      const shown = written === '' ? key : `${written}.${key}`;
      found.set(at, shown);
      visit(item, at, shown);
    }
  };
  visit(content, '', '');
  return found;
}

/** The settings whose members are ids, which stay as they are written. */
const HOLDS_IDS =
  /^(?:providers|providers\.[^.]+\.(?:models|headers|aliases)|model\.aliases|harness|harness\..*|runtimeProfile\.stages)$/;

/** The written form of a path. A setting that is missing in its section is written like the others of the section. */
function writtenPath(path: string, written: WrittenPaths): string | undefined {
  const known = written.get(path);
  if (known !== undefined) return known;
  const dot = path.lastIndexOf('.');
  const section = dot < 0 ? undefined : writtenPath(path.slice(0, dot), written);
  if (section === undefined) return undefined;
  const isCamel = [...written.values()].some((each) => each.startsWith(`${section}.`) && /[A-Z]/.test(lastName(each)));
  const name = path.slice(dot + 1);
  return `${section}.${isCamel ? name : snake(name)}`;
}

const lastName = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const inSnakeCase = (text: string): string => text.replace(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g, snake);
