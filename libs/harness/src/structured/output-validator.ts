import { type JsonObject, type JsonValue, type Problem, ReinsError } from '@reins/contracts';
import type { ErrorObject, ValidateFunction } from 'ajv';

/** The outcome of a validation: the parsed value, or the problems. */
export type OutputCheck =
  | { readonly valid: true; readonly value: JsonValue }
  | { readonly valid: false; readonly problems: readonly string[] };

const MAX_PROBLEMS = 10;
const OPTIONS = { strict: false, validateFormats: false, allErrors: true, logger: false } as const;
const OLDER_DRAFT = /draft-0[67]/;

/** Validates that an answer is one JSON value that matches a schema. It never repairs an answer. */
export class OutputValidator {
  readonly #schema: JsonObject;
  readonly #validate: ValidateFunction;

  private constructor(schema: JsonObject, validate: ValidateFunction) {
    this.#schema = schema;
    this.#validate = validate;
  }

  /** @throws ReinsError `harness_unsupported` when the schema is invalid */
  static async of(schema: JsonObject): Promise<OutputValidator> {
    return new OutputValidator(schema, await compile(schema));
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

  check(answer: string): OutputCheck {
    const value = parse(answer);
    if (value === undefined) return { valid: false, problems: ['it is not one JSON value'] };
    if (this.#validate(value)) return { valid: true, value };
    return { valid: false, problems: (this.#validate.errors ?? []).slice(0, MAX_PROBLEMS).map(problemOf) };
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

/** Loads Ajv only when it is needed: most executions have no output schema, and Ajv is half of what a process loads. */
async function compile(schema: JsonObject): Promise<ValidateFunction> {
  try {
    const older = OLDER_DRAFT.test(String(schema.$schema));
    const { default: Ajv } = older ? await import('ajv') : await import('ajv/dist/2020.js');
    return new Ajv.default(OPTIONS).compile(schema);
  } catch (cause) {
    const message = `the output schema is invalid: ${(cause as Error).message}`;
    throw new ReinsError({ code: 'harness_unsupported', message, path: 'outputSchema' }, { cause });
  }
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

function problemOf({ instancePath, message, params }: ErrorObject): string {
  const at = instancePath === '' ? 'the value' : instancePath;
  const detail = 'allowedValues' in params ? `: ${JSON.stringify(params.allowedValues)}` : '';
  return `${at} ${message ?? 'is invalid'}${detail}`;
}
