import { isObject } from '../json.ts';

/** The values for the placeholders in texts and tool arguments. */
export interface Values {
  readonly file: string;
  readonly content: string;
  readonly command: string;
  readonly toolCount: number;
  /** The names of the offered tools. */
  readonly tools: string;
  /** The last tool results. */
  readonly result: string;
}

const FILE = valueNamed('FILE');
const CONTENT = valueNamed('CONTENT');
const COMMAND = valueNamed('CMD');

function valueNamed(name: string): RegExp {
  return new RegExp(`${name}=(?:'([^']*)'|"([^"]*)"|([^\\s"']+))`);
}

/**
 * Reads `FILE=/abs/path CONTENT=word CMD='shell command'` from the user message. Each has a default.
 * @param tools the names of the offered tools
 * @param result the texts of the last tool results
 */
export function valuesOf(userMessage: string, tools: readonly string[], result: string): Values {
  const pick = (expression: RegExp, fallback: string): string =>
    expression
      .exec(userMessage)
      ?.slice(1)
      .find((group) => group !== undefined) ?? fallback;
  return {
    file: pick(FILE, 'hello.txt'),
    content: pick(CONTENT, 'hello-from-the-scripted-model'),
    command: pick(COMMAND, 'echo hello-from-the-scripted-model'),
    toolCount: tools.length,
    tools: tools.join(', '),
    result,
  };
}

const PLACEHOLDER = /\{\{(file|content|command|toolCount|tools|result)\}\}/g;

export function fillText(text: string, values: Values): string {
  return text.replaceAll(PLACEHOLDER, (_, name: keyof Values) => String(values[name]));
}

/** Fills the placeholders in every string of a JSON value. */
export function fillJson(value: unknown, values: Values): unknown {
  if (typeof value === 'string') return fillText(value, values);
  if (Array.isArray(value)) return value.map((entry) => fillJson(entry, values));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fillJson(entry, values)]));
}
