import type { JsonObject, JsonValue, Problem } from '@reins/contracts';
import type { ValidateFunction } from 'ajv';
import { compileSchema, problemsOf } from './compile-schema.ts';
import { isBounded } from './is-bounded.ts';
import { checkInThread } from './schema-thread.ts';

/** The outcome of a validation: the parsed value, or the problems. */
export type OutputCheck =
  | { readonly valid: true; readonly value: JsonValue }
  | { readonly valid: false; readonly problems: readonly string[] };

/**
 * Validates that an answer is one JSON value that matches a schema. It never repairs an answer. A schema comes from a
 * workspace. If its validation could take any time, it is done in a thread with a deadline.
 */
export class OutputValidator {
  readonly #schema: JsonObject;
  /** Undefined: the schema is checked in a thread. */
  readonly #validate: ValidateFunction | undefined;

  private constructor(schema: JsonObject, validate: ValidateFunction | undefined) {
    this.#schema = schema;
    this.#validate = validate;
  }

  /** @throws ReinsError `harness_unsupported` when the schema is invalid */
  static async of(schema: JsonObject): Promise<OutputValidator> {
    if (isBounded(schema)) return new OutputValidator(schema, await compileSchema(schema));
    await checkInThread(schema, []);
    return new OutputValidator(schema, undefined);
  }

  get schema(): JsonObject {
    return this.#schema;
  }

  /** The instruction for the model. */
  get instruction(): string {
    return [
      'Your final answer must be one JSON value and nothing else, without text around it.',
      `It must match this JSON Schema:\n${JSON.stringify(this.#schema)}`,
    ].join('\n');
  }

  async check(answer: string): Promise<OutputCheck> {
    const value = parse(answer);
    if (value === undefined) return { valid: false, problems: ['it is not one JSON value'] };
    const problems = await this.#problemsOf(value);
    return problems.length === 0 ? { valid: true, value } : { valid: false, problems };
  }

  async #problemsOf(value: JsonValue): Promise<readonly string[]> {
    if (!this.#validate) return checkInThread(this.#schema, [value]);
    return problemsOf(this.#validate, value);
  }

  /** The message that asks the model for a corrected answer. */
  retryMessage(problems: readonly string[]): string {
    const list = problems.map((problem) => `- ${problem}`).join('\n');
    return `Your answer does not match the output schema:\n${list}\n\n${this.instruction}`;
  }
}

/**
 * The problem of an answer that still does not match the output schema after all retries. It shows how the answer
 * begins.
 */
export function invalidOutputProblem(answer: string, problems: readonly string[]): Problem {
  const begin = beginningOf(answer);
  const shown = begin === '' ? '' : `; the answer begins with: ${begin}`;
  const message = `the answer does not match the output schema: ${problems.join('; ')}${shown}`;
  return { code: 'harness_output_invalid', message };
}

const MAX_SHOWN = 120;
/** The end of a message that shows only the beginning of an answer. */
export const CUT = ' …';

/** The first words of an answer. A word is never cut: the part of a secret would not be recognized as one. */
function beginningOf(answer: string): string {
  const text = answer.trim();
  if (text.length <= MAX_SHOWN) return text;
  const [words = ''] = /^.*(?=\s)/s.exec(text.slice(0, MAX_SHOWN + 1)) ?? [];
  return words === '' ? '' : `${words.trimEnd()}${CUT}`;
}

const FENCED = /^```(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n```$/;

/** Parses JSON text, or JSON in a single code fence: the two ways in which models write only JSON. */
function parse(answer: string): JsonValue | undefined {
  const text = answer.trim();
  try {
    return JSON.parse(FENCED.exec(text)?.[1] ?? text) as JsonValue;
  } catch {
    return undefined;
  }
}
