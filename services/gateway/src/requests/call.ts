import { ReinsError } from '@reins/contracts';
import { readTrace } from '@reins/service-kit';
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
  const { [IDEMPOTENCY_KEY]: idempotencyKey } = request.headers;
  if (idempotencyKey !== undefined && (typeof idempotencyKey !== 'string' || !KEY.test(idempotencyKey))) {
    throw new ReinsError({
      code: 'request_invalid',
      message: 'the idempotency key must have 1 to 255 printable ASCII characters without spaces',
      path: IDEMPOTENCY_KEY,
    });
  }
  return { caller: callerOf(request), idempotencyKey, trace: readTrace(request.headers) };
}
