import type { IncomingMessage, ServerResponse } from 'node:http';
import { isReinsError } from '@reins/contracts';
import type { JsonObject } from '../json.ts';
import { MODEL_NAME, type ModelRequest, type NextId } from '../model.ts';
import { PROTOCOLS } from '../protocols/index.ts';
import type { Protocol } from '../protocols/protocol.ts';
import { thinkingRefusal } from '../protocols/refusals.ts';
import { schemaRefusal } from '../protocols/schemas.ts';
import type { Decision } from '../scripts/decide.ts';
import type { Scripts } from '../scripts/scripts.ts';
import { MAX_BODY_BYTES, objectOf, parseJson, readBody } from './body.ts';
import { checkKey, maskHeaders, maskPath } from './keys.ts';
import type { LoggedRequest, RequestLog } from './request-log.ts';
import { pause, sendGarbage, sendJson, sendStream } from './respond.ts';
import { routeOf } from './route.ts';

export interface HandlerParts {
  readonly scripts: Scripts;
  readonly log: RequestLog;
  readonly nextId: NextId;
  /** The default pause between stream events. */
  readonly chunkMs: number;
}

/** One HTTP request and its response. */
interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly raw: string | undefined;
  readonly json: unknown;
  readonly body: JsonObject;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly clientGone: AbortSignal;
}

type LogRequest = (fields: Partial<LoggedRequest> & Pick<LoggedRequest, 'answer'>) => void;

/** Handles one HTTP request: first the control endpoints of the server, then the model protocols. */
export async function handle(request: IncomingMessage, response: ServerResponse, parts: HandlerParts): Promise<void> {
  const disconnected = new AbortController();
  response.once('close', () => disconnected.abort());
  const raw = await readBody(request);
  const json = raw === undefined ? undefined : parseJson(raw);
  const method = request.method ?? 'GET';
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const exchange = { method, url, raw, json, body: objectOf(json), request, response, clientGone: disconnected.signal };
  if (!handleControlRequest(exchange, parts)) await handleModelRequest(exchange, parts);
}

/** Handles the control endpoints of the server. Returns false for any other address. */
function handleControlRequest({ method, url, json, response }: Exchange, { scripts, log }: HandlerParts): boolean {
  if (method === 'GET' && url.pathname === '/__requests') {
    sendJson(response, 200, log.list());
  } else if (method === 'POST' && url.pathname === '/__reset') {
    log.clear();
    scripts.resetFailures();
    sendJson(response, 200, {});
  } else if (method === 'PUT' && url.pathname.startsWith('/__scenarios/')) {
    try {
      scripts.register(url.pathname.slice('/__scenarios/'.length), json);
      sendJson(response, 200, {});
    } catch (error) {
      if (!isReinsError(error)) throw error;
      sendJson(response, 400, { problems: error.problems });
    }
  } else {
    return false;
  }
  return true;
}

async function handleModelRequest(exchange: Exchange, parts: HandlerParts): Promise<void> {
  const { method, url, raw, json, body, request, response } = exchange;
  const route = routeOf(method, url.pathname);
  const protocol = PROTOCOLS[route.protocol];
  const key = checkKey(request.headers, url);
  const logRequest: LogRequest = (fields) => {
    const seen = { method, path: maskPath(url), protocol: route.protocol, scenario: route.scenario, key };
    const loggedBody = json ?? { unparsed: raw?.slice(0, 2000) ?? `more than ${MAX_BODY_BYTES} bytes` };
    parts.log.add({ ...seen, headers: maskHeaders(request.headers), body: loggedBody, ...fields }, raw?.length ?? 0);
  };
  const ids = { 'x-request-id': parts.nextId('req') };
  const refuse = (status: number, message: string): void => {
    logRequest({ answer: status });
    sendJson(response, status, protocol.error(status, message, parts.nextId), ids);
  };

  if (key === 'refused') return refuse(401, 'invalid API key');
  if (route.action === 'unknown') {
    // Some clients probe the base address with HEAD first.
    if (method !== 'HEAD') return refuse(404, `no route ${method} ${url.pathname}`);
    logRequest({ answer: 200 });
    return void response.writeHead(200, ids).end();
  }
  if (raw === undefined) return refuse(413, `the body is larger than ${MAX_BODY_BYTES} bytes`);
  if (json === undefined) return refuse(400, 'the body is not JSON');
  if (route.action === 'models') {
    logRequest({ answer: 'models' });
    return sendJson(response, 200, protocol.models([MODEL_NAME]), ids);
  }
  if (route.action === 'countTokens') {
    logRequest({ answer: 'countTokens' });
    return sendJson(response, 200, protocol.tokenCount(body), ids);
  }
  const modelRequest = protocol.read(body, route.address);
  const refuses = [thinkingRefusal, schemaRefusal];
  const refusal = refuses.map((each) => each(route.protocol, modelRequest.model, body)).find((text) => text);
  if (refusal !== undefined) return refuse(400, refusal);
  const decision = parts.scripts.decide(route.scenario, modelRequest);
  if (!decision) return refuse(404, `no scenario "${route.scenario}"`);
  logRequest(summaryOf(modelRequest, decision));
  await respond(exchange, parts, protocol, modelRequest, decision, ids);
}

function summaryOf(modelRequest: ModelRequest, { step, reaction }: Decision): Parameters<LogRequest>[0] {
  const tools = modelRequest.tools.map(({ namespace, name }) =>
    namespace === undefined ? name : `${namespace}/${name}`,
  );
  return { model: modelRequest.model, stream: modelRequest.stream, step, tools, answer: answerOf(reaction) };
}

function answerOf(reaction: Decision['reaction']): LoggedRequest['answer'] {
  if (reaction.kind === 'failure') return reaction.status;
  if (reaction.kind !== 'answer') return reaction.kind;
  const { text, calls } = reaction.answer;
  const tools = calls.map(({ name, args }) => ({ name, args }));
  return { ...(text === undefined ? {} : { text }), tools };
}

async function respond(
  { body, response, clientGone }: Exchange,
  { nextId, chunkMs }: HandlerParts,
  protocol: Protocol,
  modelRequest: ModelRequest,
  decision: Decision,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  await pause(decision.delayMs, clientGone);
  const { reaction } = decision;
  if (reaction.kind === 'hang') return;
  if (reaction.kind === 'garbage') return sendGarbage(response, modelRequest.stream);
  if (reaction.kind === 'failure') {
    const { status, message, retryAfter } = reaction;
    const all = retryAfter === undefined ? headers : { ...headers, 'retry-after': String(retryAfter) };
    return sendJson(response, status, protocol.error(status, message, nextId), all);
  }
  const now = Math.floor(Date.now() / 1000);
  const written = protocol.write({ answer: reaction.answer, body, nextId, now });
  if (!modelRequest.stream) return sendJson(response, 200, written.body, headers);
  const pace = { chunkMs: decision.chunkMs ?? chunkMs, cut: reaction.cut, clientGone };
  await sendStream(response, written.events, headers, pace);
}
