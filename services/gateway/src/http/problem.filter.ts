import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { ERROR_CODES, isReinsError, type Problem } from '@reins/contracts';
import type { Logger } from '@reins/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOpenAiCall, sendOpenAiError } from '../protocols/openai/openai-error.ts';
import { QuotaExceeded } from '../quotas.ts';
import { PROBLEM_MEDIA_TYPE, problemDocument, RETRY_AFTER_SECONDS } from './problem.ts';

/** Turns every error of a call into a problem document. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendProblem(this.#log, error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}

/** Sends an error as a problem document, also for calls that Fastify rejects before Nest. */
export function sendProblem(log: Logger, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const document = problemDocument(problemsOf(error, request));
  if (document.code === 'internal_error') {
    log.error({ err: error, method: request.method, url: request.url }, 'call failed');
  }
  if (reply.raw.headersSent) return void reply.raw.destroy();
  if (document.status === 401) reply.header('www-authenticate', 'Bearer');
  if (document.status === 429 || document.status === 503) reply.header('retry-after', String(retryAfter(error)));
  reply.status(document.status);
  if (isOpenAiCall(request.url)) sendOpenAiError(document, reply);
  else reply.header('content-type', PROBLEM_MEDIA_TYPE).send(JSON.stringify(document));
}

/** The seconds after which the call can succeed, as far as it is known. */
function retryAfter(error: unknown): number {
  if (!(error instanceof QuotaExceeded) || error.retryAfterMs === undefined) return RETRY_AFTER_SECONDS;
  return Math.max(1, Math.ceil(error.retryAfterMs / 1_000));
}

function problemsOf(error: unknown, { method, url }: FastifyRequest): readonly Problem[] {
  if (isReinsError(error)) return error.problems;
  const status = statusOf(error);
  if (status === 404) return [{ code: 'route_not_found', message: `no route for ${method} ${url.split('?')[0]}` }];
  if (status === 413)
    return [{ code: 'payload_too_large', message: 'the body exceeds the limit of this installation' }];
  if (status === 415) return [{ code: 'media_type_unsupported', message: 'the body must be application/json' }];
  if (status !== undefined && status >= 400 && status < 500)
    return [{ code: 'request_invalid', message: messageOf(error) }];
  return [{ code: 'internal_error', message: ERROR_CODES.internal_error.meaning }];
}

/** The HTTP status of an error of Nest or Fastify. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  const status = typeof error === 'object' && error !== null ? Reflect.get(error, 'statusCode') : undefined;
  return typeof status === 'number' ? status : undefined;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'the call is invalid');
