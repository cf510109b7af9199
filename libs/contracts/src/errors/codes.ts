/**
 * Every error code of the system, once. A code is stable: it is part of the interface, so it is never renamed, only added.
 * `status` is the HTTP status that the gateway answers with; `retryable` says whether the same call may succeed later.
 */
export interface ErrorCodeInfo {
  readonly status: number;
  readonly retryable: boolean;
  readonly meaning: string;
}

const define = <T extends Record<string, ErrorCodeInfo>>(codes: T): T => codes;
const bad = (meaning: string): ErrorCodeInfo => ({ status: 400, retryable: false, meaning });
const failed = (meaning: string, retryable = false): ErrorCodeInfo => ({ status: 500, retryable, meaning });
const away = (meaning: string): ErrorCodeInfo => ({ status: 503, retryable: true, meaning });

export const ERROR_CODES = define({
  // the edge
  request_invalid: bad('the body, a parameter or a header does not have the documented shape'),
  request_not_found: { status: 404, retryable: false, meaning: 'no such request' },
  workspace_not_found: { status: 404, retryable: false, meaning: 'no such workspace revision' },
  route_not_found: { status: 404, retryable: false, meaning: 'no such route' },
  unauthorized: { status: 401, retryable: false, meaning: 'no API key, or one that is unknown or revoked' },
  idempotency_conflict: { status: 409, retryable: false, meaning: 'the idempotency key was used with another body' },
  request_ended: { status: 409, retryable: false, meaning: 'the request has already ended' },
  payload_too_large: {
    status: 413,
    retryable: false,
    meaning: 'the body or a file is larger than the installation admits',
  },
  admission_limited: { status: 429, retryable: true, meaning: 'too much work is waiting; try again later' },
  service_unavailable: away('a part of the system that this call needs cannot be reached'),
  internal_error: failed('an error of Reins itself'),
  wrong_usage: bad('the command line was used in a way it does not have'),

  // contract
  message_invalid: bad('a message does not have the shape that the catalogue gives its type'),
  event_type_unknown: bad('the type is not in the event catalogue'),
  subject_invalid: bad('the subject is not one of the grammar'),
  token_invalid: bad('an id is not a subject-safe token'),
  settings_invalid: bad('a setting is missing or has the wrong shape'),

  // embedded
  embedded_unavailable: away(
    'a part that Reins brings along (NATS server, Postgres) is neither there nor can be installed',
  ),
  embedded_start_failed: away('a part that Reins brings along did not start'),
});

export type ErrorCode = keyof typeof ERROR_CODES;
