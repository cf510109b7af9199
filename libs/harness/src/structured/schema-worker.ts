import { parentPort, workerData } from 'node:worker_threads';
import type { JsonObject, JsonValue } from '@reins/contracts';
import { compileSchema, problemsOf } from './compile-schema.ts';
import type { CheckedInThread } from './schema-thread.ts';

/** The thread of one check: reports that it has started, and then the outcome. */
const { schema, values } = workerData as { schema: JsonObject; values: readonly JsonValue[] };

async function check(): Promise<CheckedInThread> {
  try {
    const validate = await compileSchema(schema);
    return { problems: values.flatMap((value) => problemsOf(validate, value)) };
  } catch (error) {
    return { invalid: (error as Error).message };
  }
}

parentPort?.postMessage('started');
parentPort?.postMessage(await check());
