const PROBE_TIMEOUT_MS = 2_000;

/** Requests `/readyz` of a service. Returns `ready`, or the reason why the service is not ready. */
export async function probeReadiness(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    const body = await response.text();
    return response.ok ? 'ready' : notReadyReason(url, response.status, body);
  } catch {
    return `${url} does not respond`;
  }
}

/** The reasons in the body of a `/readyz` response; the beginning of the body if it has another shape. */
export function notReadyReason(url: string, status: number, body: string): string {
  try {
    const { checks } = JSON.parse(body) as { checks: readonly { ready: boolean; reason?: string }[] };
    const reasons = checks.flatMap(({ ready, reason }) => (ready || reason === undefined ? [] : [reason]));
    if (reasons.length > 0) return reasons.join('; ');
  } catch {
    // The body has another shape.
  }
  return `${url} responds with ${status} ${body.slice(0, 300)}`.trimEnd();
}
