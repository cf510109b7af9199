import { ReinsError } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { parseBody } from '../consume/message.ts';
import type { CallResponse } from './serve-calls.ts';

/** The longest time that a call takes, unless it says otherwise. */
const TIMEOUT_MS = 5_000;

/**
 * Calls a service and returns the result.
 * @param subject `<prefix>.<name>`
 * @throws ReinsError `service_unavailable` when no instance of the service responds in time: the outcome is unknown; the
 * errors of the service
 */
export async function callService<Result>(
  bus: Bus,
  subject: string,
  body: unknown,
  { timeoutMs = TIMEOUT_MS }: { readonly timeoutMs?: number } = {},
): Promise<Result> {
  const reply = await bus.nc.request(subject, JSON.stringify(body), { timeout: timeoutMs }).catch((cause: unknown) => {
    const service = subject.split('.')[0];
    const message = `the ${service} service does not respond`;
    throw new ReinsError({ code: 'service_unavailable', message, path: subject }, { cause });
  });
  const response = parseBody(reply.data, subject) as CallResponse;
  if ('errors' in response) throw new ReinsError(response.errors);
  return response.result as Result;
}
