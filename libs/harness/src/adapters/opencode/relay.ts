import { readFileSync } from 'node:fs';
import type * as questions from '../../tools/question.ts';
import type * as rules from './call-rules.ts';
import type { RelaySettings } from './relay-settings.ts';

/** A request to OpenCode, one line on stdin. */
interface RelayedRequest {
  readonly id: number;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** The part of OpenCode's plugin interface that is used here. */
interface OpenCode {
  readonly client: {
    readonly _client: {
      request(options: object): Promise<{ data?: unknown; error?: unknown; response?: { status: number } }>;
    };
  };
}
interface Call {
  readonly tool: string;
  readonly callID: string;
}
interface CallResult {
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/**
 * OpenCode loads this plugin into its process. It passes the requests of the adapter on to OpenCode, and the events of
 * OpenCode to the adapter, one JSON message a line. So OpenCode needs no port. It decides about every call before
 * OpenCode executes it. It has no static imports of this package, because OpenCode loads it with its own loader.
 */
export async function ReinsRelay({ client }: OpenCode) {
  const { systemPrompt, modelUrl, ...policy } = takeSettings();
  const { refusalOf } = await load<typeof rules>('./call-rules');
  const { questionOf } = await load<typeof questions>('../../tools/question');
  const running = new Set<Promise<void>>();
  let isWaiting = false;

  const request = async ({ id, method, path, body }: RelayedRequest): Promise<void> => {
    const content = body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } };
    try {
      const { data, error, response } = await client._client.request({ method, url: path, ...content });
      say({ id, status: response?.status ?? 0, body: data ?? error ?? null });
    } catch (error) {
      say({ id, status: 0, body: { message: String(error) } });
    }
  };
  readLines(
    (line) => {
      const answered = request(JSON.parse(line)).finally(() => running.delete(answered));
      running.add(answered);
    },
    () => void Promise.all(running).then(() => process.exit(0)),
  );
  reportResponses(modelUrl);
  say({ ready: true });

  return {
    event: async ({ event }: { readonly event: unknown }) => say({ event }),
    'experimental.chat.system.transform': async (_: unknown, { system }: { readonly system: string[] }) => {
      // The answer of the user comes in another process.
      if (isWaiting) await new Promise(() => undefined);
      system.splice(0, system.length, ...(systemPrompt === '' ? [] : [systemPrompt]));
    },
    'chat.params': async (_: unknown, params: { maxOutputTokens?: number | undefined }) => {
      params.maxOutputTokens = undefined;
    },
    'tool.execute.before': async ({ tool }: Call, { args }: { readonly args: unknown }) => {
      const refusal = refusalOf(tool, args, policy);
      if (refusal !== undefined) throw new Error(refusal);
    },
    'tool.execute.after': async ({ callID }: Call, result: CallResult) => {
      if (result.isError === true) say({ failed: callID });
      const question = questionOf(result);
      if (question === undefined) return;
      isWaiting = true;
      say({ question });
    },
  };
}

const say = (message: object): boolean => process.stdout.write(`${JSON.stringify(message)}\n`);

/** Reads the settings, and removes the secrets, which OpenCode has read already. */
function takeSettings(): RelaySettings {
  const { REINS_RELAY_FILE: file = '' } = process.env;
  for (const name of Object.keys(process.env)) if (name.startsWith('REINS_SECRET_')) delete process.env[name];
  return JSON.parse(readFileSync(file, 'utf8')) as RelaySettings;
}

function readLines(line: (text: string) => void, end: () => void): void {
  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) line(text);
  });
  process.stdin.on('end', end);
}

/** Reports the responses of the model: the events about retries do not say what was wrong with them. */
function reportResponses(modelUrl: string): void {
  const original = globalThis.fetch;
  const reporting: typeof fetch = async (input, init) => {
    const response = await original(input, init);
    const url = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;
    if (url.startsWith(modelUrl)) {
      const body = response.ok ? '' : await response.clone().text();
      say({ response: { status: response.status, body: body.slice(0, 4000) } });
    }
    return response;
  };
  globalThis.fetch = Object.assign(reporting, original);
}

/** Loads a module of this package. */
function load<T>(name: string): Promise<T> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return import(new URL(`${name}.${extension}`, import.meta.url).href);
}
