import { randomInt } from 'node:crypto';
import { ReinsError } from '@reins/contracts';
import { isFreePort } from '@reins/embedded';

/** Below the ephemeral port range, whose ports may be taken while a service restarts. */
const RANGE = [12_000, 30_000] as const;
const ATTEMPTS = 50;

/** The first of `count` consecutive free ports. */
export async function freePorts(count: number): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const base = randomInt(...RANGE);
    const row = Array.from({ length: count }, (_, index) => base + index);
    if ((await Promise.all(row.map(isFreePort))).every(Boolean)) return base;
  }
  throw new ReinsError({ code: 'service_unavailable', message: `found no ${count} consecutive free ports` });
}
