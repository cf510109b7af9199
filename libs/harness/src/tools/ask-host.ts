import type { CallDecisions } from '../contract.ts';

/** A call of a built-in tool, by the name that the executor has for it. */
export interface BuiltInCall {
  readonly tool: string;
  readonly args: unknown;
  readonly callId?: string;
}

const FAILED = 'denied: the host could not decide about this call (policy_unavailable)';

/**
 * Asks the host whether a call may be executed. Returns what the model reads instead of a result; undefined when the call
 * may be executed. Without an answer, the call is refused. It imports no module, because foreign executors load it too.
 */
export async function refusedByHost(
  decisions: CallDecisions | undefined,
  call: BuiltInCall,
): Promise<string | undefined> {
  if (!decisions) return undefined;
  try {
    const { url, headers } = decisions;
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(call),
    });
    const { allowed, refusal } = (await response.json()) as { readonly allowed?: unknown; readonly refusal?: unknown };
    if (response.ok && allowed === true) return undefined;
    return typeof refusal === 'string' ? refusal : FAILED;
  } catch {
    return FAILED;
  }
}
