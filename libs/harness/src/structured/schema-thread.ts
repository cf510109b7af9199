import { Worker } from 'node:worker_threads';
import { type JsonObject, type JsonValue, ReinsError } from '@reins/contracts';

/** The outcome of a check in a thread. */
export type CheckedInThread =
  | { readonly problems: readonly string[] }
  /** The message of the error of an invalid schema. */
  | { readonly invalid: string };

/** TypeScript sources start a TypeScript worker, and compiled code a compiled one. */
const WORKER = new URL(`./schema-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);
const FROM_SOURCES = import.meta.url.endsWith('.ts') ? ['--conditions=reins-source'] : [];
/** A usual schema needs milliseconds. The time to start the thread does not count. */
const CHECK_MS = 5000;
const MEMORY_MB = 256;
/** The threads of a process that run at the same time. */
const MAX_THREADS = 2;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Checks values against a schema in a thread of its own, which ends at a deadline. Resolves with the problems.
 * @throws ReinsError `harness_unsupported` when the schema is invalid, or cannot be compiled in time
 */
export async function checkInThread(schema: JsonObject, values: readonly JsonValue[]): Promise<readonly string[]> {
  await enter();
  const worker = new Worker(WORKER, {
    workerData: { schema, values },
    execArgv: [...FROM_SOURCES, '--disable-warning=ExperimentalWarning'],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  try {
    const checked = await outcomeOf(worker);
    if (checked && 'problems' in checked) return checked.problems;
    if (checked) throw new ReinsError({ code: 'harness_unsupported', message: checked.invalid, path: 'outputSchema' });
    if (values.length > 0) return [NOT_CHECKED];
    const message = `the output schema cannot be compiled within ${LIMITS}`;
    throw new ReinsError({ code: 'harness_unsupported', message, path: 'outputSchema' });
  } finally {
    await worker.terminate();
    leave();
  }
}

const LIMITS = `${CHECK_MS} ms and ${MEMORY_MB} MB`;
const NOT_CHECKED = `it cannot be compared with the schema within ${LIMITS}`;

/** Undefined: the thread did not answer in time, or ended. */
async function outcomeOf(worker: Worker): Promise<CheckedInThread | undefined> {
  const { promise, resolve } = Promise.withResolvers<CheckedInThread | undefined>();
  let deadline: NodeJS.Timeout | undefined;
  worker.on('message', (message: 'started' | CheckedInThread) => {
    if (message === 'started') deadline = setTimeout(() => resolve(undefined), CHECK_MS);
    else resolve(message);
  });
  worker.on('error', () => resolve(undefined));
  worker.once('exit', () => resolve(undefined));
  const outcome = await promise;
  clearTimeout(deadline);
  return outcome;
}

async function enter(): Promise<void> {
  if (running < MAX_THREADS) {
    running += 1;
    return;
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.push(resolve);
  await promise;
}

/** The place goes to the check that waits longest. */
function leave(): void {
  const next = waiting.shift();
  if (next) next();
  else running -= 1;
}
