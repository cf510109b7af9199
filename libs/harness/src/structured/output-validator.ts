import { type JsonObject, type JsonValue, type Problem, ReinsError } from '@reins/contracts';
import type { ErrorObject, ValidateFunction } from 'ajv';

/** An answer that was held against its form. */
export type OutputCheck =
  | { readonly valid: true; readonly value: JsonValue }
  | { readonly valid: false; readonly problems: readonly string[] };

const MAX_PROBLEMS = 10;
const OPTIONS = { strict: false, validateFormats: false, allErrors: true, logger: false } as const;
const OLDER_DRAFT = /draft-0[67]/;

/** The form that an answer must have: one JSON value that fits a schema. Nothing is repaired and nothing is guessed. */
export class OutputValidator {
  readonly #schema: JsonObject;
  readonly #validate: ValidateFunction;

  private constructor(schema: JsonObject, validate: ValidateFunction) {
    this.#schema = schema;
    this.#validate = validate;
  }

  /** @throws ReinsError `harness_unsupported` when the schema is none */
  static async of(schema: JsonObject): Promise<OutputValidator> {
    return new OutputValidator(schema, await compile(schema));
  }

  get schema(): JsonObject {
    return this.#schema;
  }

  /** What the executor is told of it. */
  get instruction(): string {
    return [
      'Your final answer must be one JSON value and nothing else: no words around it.',
      `It must fit this JSON Schema:\n${JSON.stringify(this.#schema)}`,
    ].join('\n');
  }

  check(answer: string): OutputCheck {
    const value = parse(answer);
    if (value === undefined) return { valid: false, problems: ['it is not one JSON value'] };
    if (this.#validate(value)) return { valid: true, value };
    return { valid: false, problems: (this.#validate.errors ?? []).slice(0, MAX_PROBLEMS).map(problemOf) };
  }

  /** The message that asks for the answer once more. */
  retryMessage(problems: readonly string[]): string {
    const list = problems.map((problem) => `- ${problem}`).join('\n');
    return `Your answer does not have the form that it must have:\n${list}\n\n${this.instruction}`;
  }
}

/** What is told of an answer that did not take its form, however often it was asked for. */
export function invalidOutputProblem(problems: readonly string[]): Problem {
  const message = `the answer does not have the form that it must have: ${problems.join('; ')}`;
  return { code: 'harness_output_invalid', message };
}

/** The validator is loaded when it is needed: most executions have no form, and it is half of what their process loads. */
async function compile(schema: JsonObject): Promise<ValidateFunction> {
  try {
    const older = OLDER_DRAFT.test(String(schema.$schema));
    const { default: Ajv } = older ? await import('ajv') : await import('ajv/dist/2020.js');
    return new Ajv.default(OPTIONS).compile(schema);
  } catch (cause) {
    const message = `the output schema cannot be used: ${(cause as Error).message}`;
    throw new ReinsError({ code: 'harness_unsupported', message, path: 'outputSchema' }, { cause });
  }
}

const FENCED = /^```(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n```$/;

/** A JSON text as it is, or alone in one fence: the two ways in which a model writes nothing but JSON. */
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
  return `${at} ${message ?? 'is wrong'}${detail}`;
}
