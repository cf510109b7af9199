import { ReinsError } from '@reins/contracts';
import type { FastifyRequest } from 'fastify';
import type { Call } from '../gateway.service.ts';
import { callerOf } from '../keys/api-key.guard.ts';

const IDEMPOTENCY_KEY = 'idempotency-key';
/** The header that makes a call idempotent. */
export const IDEMPOTENCY_HEADER = {
  name: 'Idempotency-Key',
  required: false,
  description: 'calls with the same key and body have the effect of one call',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
} as const;

const KEY = /^[\x21-\x7e]{1,255}$/;

/** Reads the metadata of a call. @throws ReinsError `request_invalid` */
export function callOf(request: FastifyRequest): Call {
  const { [IDEMPOTENCY_KEY]: idempotencyKey, traceparent } = request.headers;
  if (idempotencyKey !== undefined && (typeof idempotencyKey !== 'string' || !KEY.test(idempotencyKey))) {
    throw new ReinsError({
      code: 'request_invalid',
      message: 'the idempotency key must have 1 to 255 printable ASCII characters without spaces',
      path: IDEMPOTENCY_KEY,
    });
  }
  return { caller: callerOf(request), idempotencyKey, traceparent: traceOf(traceparent) };
}

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Drops an invalid trace context, as the W3C standard requires. */
function traceOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && TRACEPARENT.test(header) ? header : undefined;
}
