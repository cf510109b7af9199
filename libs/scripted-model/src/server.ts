import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { handle } from './http/handler.ts';
import { checkKey, maskHeaders, maskPath } from './http/keys.ts';
import { type LoggedRequest, RequestLog } from './http/request-log.ts';
import { sendJson } from './http/respond.ts';
import { isObject } from './json.ts';
import { sequentialIds } from './model.ts';
import { ScriptFile } from './scripts/script-file.ts';
import { Scripts } from './scripts/scripts.ts';

export interface ScriptedModelOptions {
  /** The port to listen on. The default 0 selects a free one. */
  readonly port?: number;
  /** Additional scenarios by name. */
  readonly scenarios?: Readonly<Record<string, unknown>>;
  /** Files by scenario: while such a file exists, its script replaces the one of the scenario. */
  readonly files?: Readonly<Record<string, string>>;
  /** A file to which every request is appended as JSON lines. */
  readonly log?: string;
  /** The default pause between stream events in milliseconds. */
  readonly chunkMs?: number;
}

/** A running server. */
export interface ScriptedModel extends AsyncDisposable {
  readonly port: number;
  /** `http://127.0.0.1:<port>`. A client appends `/s/<scenario>` and the prefix of its protocol. */
  readonly url: string;
  /** The newest received requests, oldest first. */
  requests(): readonly LoggedRequest[];
  /** Closes every connection, including hanging ones, and frees the port. */
  close(): Promise<void>;
}

/** Starts a model server on the loopback interface that answers from scripts. */
export async function startScriptedModel(options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  const nextId = sequentialIds();
  const files = Object.entries(options.files ?? {}).map(([name, path]) => [name, new ScriptFile(path)] as const);
  const scripts = new Scripts(nextId, Object.fromEntries(files));
  for (const [name, script] of Object.entries(options.scenarios ?? {})) scripts.register(name, script);
  const log = new RequestLog(options.log);
  const parts = { scripts, log, nextId, chunkMs: options.chunkMs ?? 0 };

  const server = createServer((request, response) => {
    handle(request, response, parts).catch((error: unknown) => {
      // A disconnected client is not a server error.
      if (response.destroyed || isAbort(error)) return response.destroy();
      if (response.headersSent) return response.destroy();
      sendJson(response, 500, { error: { message: `the scripted model failed: ${String(error)}` } });
    });
  });
  server.on('upgrade', (request, socket) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const seen = { method: 'UPGRADE', path: maskPath(url), key: checkKey(request.headers, url) };
    log.add({ ...seen, headers: maskHeaders(request.headers), body: {}, answer: 426 }, 0);
    socket.on('error', () => socket.destroy());
    socket.end('HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const close = async (): Promise<void> => {
    if (server.listening) {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    }
    await log.close();
  };
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    requests: () => log.list(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function isAbort(error: unknown): boolean {
  return isObject(error) && error.name === 'AbortError';
}
