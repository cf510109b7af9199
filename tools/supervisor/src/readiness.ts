const PROBE_TIMEOUT_MS = 2_000;

/** The answer of `/readyz`: whether the service responds, and why it is not ready. Without a reason, it is ready. */
export interface Readiness {
  readonly responds: boolean;
  readonly reason?: string;
}

/** Requests `/readyz` of a service. Never rejects. */
export async function probeReadiness(url: string): Promise<Readiness> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    const body = await response.text();
    return response.ok ? { responds: true } : { responds: true, reason: notReadyReason(url, response.status, body) };
  } catch {
    return { responds: false, reason: `${url} does not respond` };
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
