import type { JsonObject, JsonValue } from '@reins/contracts';

/** Validates inputs against the `inputSchema` of the process. @throws ReinsError `request_invalid` with every violation */
export async function assertInputs(schema: JsonObject, inputs: JsonValue): Promise<void> {
  await assertSchema(schema, inputs, 'inputs');
}

/** `assertSchema` of `@reins/replay/schema`, imported only when there is a schema. */
export async function assertSchema(schema: JsonObject, value: JsonValue, what: string): Promise<void> {
  (await import('@reins/replay/schema')).assertSchema(schema, value, what);
}
