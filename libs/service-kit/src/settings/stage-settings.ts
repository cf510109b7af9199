import { defined, isObject, isStage, nearest, type Problem, STAGES, type Stage } from '@reins/contracts';
import { TOKEN } from './names.ts';

/** A model and its thinking value. */
interface ModelSettings {
  readonly model?: string;
  readonly thinking?: string;
}

/** What the runtime profile says about a stage, next to its runtime. */
export interface StageSettings extends ModelSettings {
  /** Milliseconds that an attempt may run. */
  readonly timeoutMs?: number;
  /** Attempts after the first one, on the same runtime. */
  readonly retries?: number;
  readonly onTimeout?: (typeof ON_TIMEOUT)[number];
  /** The runtimes that take over when all attempts have failed. */
  readonly fallback?: readonly FallbackSettings[];
}

export interface FallbackSettings extends ModelSettings {
  readonly runtime: string;
}

/** The stages of a profile: the runtime of each, and what else is said about them. */
export interface ReadStages {
  readonly runtimes: Partial<Record<Stage, string>>;
  readonly settings: Partial<Record<Stage, StageSettings>>;
  readonly problems: readonly Problem[];
}

/** What follows an attempt that made no progress or exceeded a time limit. */
export const ON_TIMEOUT = ['retry', 'fallback', 'fail'] as const;
const MODEL_KEYS = ['model', 'thinking'] as const;
const FALLBACK_KEYS = ['runtime', ...MODEL_KEYS];
/** The names in the table of a stage. */
export const STAGE_KEYS: readonly string[] = [...FALLBACK_KEYS, 'timeout', 'retries', 'on_timeout', 'fallback'];
export const MAX_RETRIES = 19;
const MAX_TIMEOUT_MS = 7 * 24 * 3_600_000;
const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/**
 * Reads `runtime_profile.stages` of a settings file. A stage is a runtime id, or a table with the runtime and its
 * options. Reports all problems.
 */
export function readStages(stages: unknown): ReadStages {
  if (!isObject(stages)) return { runtimes: {}, settings: {}, problems: [] };
  const read = Object.entries(stages).map(([name, value]) => readStage(name, value));
  return {
    runtimes: Object.fromEntries(read.flatMap(({ name, runtime }) => (runtime === undefined ? [] : [[name, runtime]]))),
    settings: Object.fromEntries(read.flatMap(({ name, settings }) => (settings ? [[name, settings]] : []))),
    problems: read.flatMap(({ problems }) => problems),
  };
}

/** The runtimes that a stage may run on, by its settings: its own, then its fallbacks. */
export const runtimesOfStage = (runtimeId: string, { fallback = [] }: StageSettings = {}): readonly string[] => [
  runtimeId,
  ...fallback.map(({ runtime }) => runtime),
];

interface ReadStage {
  readonly name: string;
  readonly runtime?: string;
  readonly settings?: StageSettings;
  readonly problems: readonly Problem[];
}

function readStage(name: string, value: unknown): ReadStage {
  const path = `runtimeProfile.stages.${name}`;
  if (!isStage(name)) return { name, problems: [problem(path, `unknown stage ${name}`, didYouMean(name, STAGES))] };
  if (typeof value === 'string') return { name, runtime: value, problems: runtimeProblems(path, value) };
  if (!isObject(value)) return { name, problems: [problem(path, `${path} must be a runtime id or a table`)] };
  const problems = tableProblems(path, value);
  if (problems.length > 0) return { name, problems };
  const { runtime, timeout, retries, on_timeout: onTimeout, fallback } = value;
  const settings = defined({
    ...modelOf(value),
    timeoutMs: timeout === undefined ? undefined : millisecondsOf(timeout),
    retries,
    onTimeout,
    fallback: Array.isArray(fallback) ? fallback.map(fallbackOf) : undefined,
  }) as StageSettings;
  return { name, runtime: String(runtime), settings, problems };
}

const modelOf = ({ model, thinking }: Readonly<Record<string, unknown>>): ModelSettings =>
  defined({ model, thinking }) as ModelSettings;

const fallbackOf = (value: unknown): FallbackSettings =>
  isObject(value) ? { runtime: String(value.runtime), ...modelOf(value) } : { runtime: String(value) };

function tableProblems(path: string, table: Readonly<Record<string, unknown>>): Problem[] {
  const { timeout, retries, on_timeout: onTimeout, fallback } = table;
  return [
    ...runnerProblems(path, table, STAGE_KEYS),
    ...(timeout === undefined || millisecondsOf(timeout) !== undefined
      ? []
      : [
          problem(
            `${path}.timeout`,
            `${path}.timeout must be a duration`,
            'Write a duration from 1s to 168h, such as 20m.',
          ),
        ]),
    ...(retries === undefined || (Number.isInteger(retries) && Number(retries) >= 0 && Number(retries) <= MAX_RETRIES)
      ? []
      : [problem(`${path}.retries`, `${path}.retries must be an integer from 0 to ${MAX_RETRIES}`)]),
    ...(onTimeout === undefined || (ON_TIMEOUT as readonly unknown[]).includes(onTimeout)
      ? []
      : [problem(`${path}.on_timeout`, `${path}.on_timeout must be one of ${ON_TIMEOUT.join(', ')}`)]),
    ...(onTimeout === 'fallback' && !(Array.isArray(fallback) && fallback.length > 0)
      ? [
          problem(
            `${path}.on_timeout`,
            `${path}.on_timeout is fallback, and the stage has no fallback`,
            'Add fallback: [<runtime>].',
          ),
        ]
      : []),
    ...fallbackProblems(`${path}.fallback`, fallback),
  ];
}

function fallbackProblems(path: string, value: unknown): Problem[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [problem(path, `${path} must be a list of runtimes`)];
  return value.flatMap((item: unknown, place) => {
    const at = `${path}.${place}`;
    if (isObject(item)) return runnerProblems(at, item, FALLBACK_KEYS);
    return runtimeProblems(at, item);
  });
}

/** The problems of a table with a runtime and its model. */
function runnerProblems(path: string, table: Readonly<Record<string, unknown>>, known: readonly string[]): Problem[] {
  const unknown = Object.keys(table).filter((key) => !known.includes(key));
  return [
    ...unknown.map((key) => problem(`${path}.${key}`, `unknown setting ${path}.${key}`, didYouMean(key, known))),
    ...runtimeProblems(`${path}.runtime`, table.runtime),
    ...MODEL_KEYS.flatMap((key) =>
      table[key] === undefined || (typeof table[key] === 'string' && table[key].trim() !== '')
        ? []
        : [problem(`${path}.${key}`, `${path}.${key} must be a non-empty string`)],
    ),
  ];
}

const runtimeProblems = (path: string, value: unknown): Problem[] =>
  typeof value === 'string' && TOKEN.test(value) ? [] : [problem(path, `${path} must be a runtime id`)];

/** A number counts milliseconds. @returns undefined for no duration, and for one out of range */
function millisecondsOf(value: unknown): number | undefined {
  const [, digits = '', unit = ''] =
    /^(\d{1,9})(ms|s|m|h)$/.exec(typeof value === 'number' ? `${value}ms` : String(value)) ?? [];
  const ms = Number(digits) * (UNITS[unit as keyof typeof UNITS] ?? 0);
  return ms >= 1000 && ms <= MAX_TIMEOUT_MS ? ms : undefined;
}

function didYouMean(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === undefined ? `Use one of ${known.join(', ')}.` : `Did you mean ${meant}?`;
}

const problem = (path: string, message: string, hint?: string): Problem => ({
  code: 'settings_invalid',
  message,
  path,
  ...defined({ hint }),
});
