import { type JsonObject, type JsonValue, type Problem, ReinsError } from '@reins/contracts';

/** @throws ReinsError `request_invalid` with every place at which the inputs are not what the process's `inputSchema` says */
export async function assertInputs(schema: JsonObject, inputs: JsonValue): Promise<void> {
  await assertSchema(schema, inputs, 'inputs');
}

/**
 * @param what names the value in the problems
 * @throws ReinsError `request_invalid` with every problem, also when the schema is none
 */
export async function assertSchema(schema: JsonObject, value: JsonValue, what: string): Promise<void> {
  const { Ajv } = await import('ajv');
  const ajv = new Ajv({ allErrors: true, strict: false });
  const problem = (message: string, path = what): Problem => ({ code: 'request_invalid', message, path });
  let validate: ReturnType<typeof ajv.compile>;
  try {
    validate = ajv.compile(schema);
  } catch (cause) {
    throw new ReinsError(problem(`the schema of ${what} is none: ${(cause as Error).message}`), { cause });
  }
  if (validate(value)) return;
  const problems = (validate.errors ?? []).map(({ instancePath, message = 'is wrong' }) =>
    problem(`${what}${instancePath} ${message}`, `${what}${instancePath}`),
  );
  throw new ReinsError(problems);
}
