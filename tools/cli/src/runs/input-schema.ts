import type { JsonObject, JsonValue } from '@reins/contracts';

/** @throws ReinsError `request_invalid` with every place at which the inputs are not what the process's `inputSchema` says */
export async function assertInputs(schema: JsonObject, inputs: JsonValue): Promise<void> {
  await assertSchema(schema, inputs, 'inputs');
}

/** As `assertSchema` of `@reins/replay/schema`, which is loaded when there is a schema. */
export async function assertSchema(schema: JsonObject, value: JsonValue, what: string): Promise<void> {
  (await import('@reins/replay/schema')).assertSchema(schema, value, what);
}
