import { ReinsError } from '@reins/contracts';
import { freePort, isFreePort } from '@reins/embedded';

const ATTEMPTS = 50;

/** The first of so many ports in a row that nobody listens on now. */
export async function freePorts(count: number): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const base = await freePort();
    const rest = Array.from({ length: count - 1 }, (_, index) => base + index + 1);
    if (base + count < 65_535 && (await Promise.all(rest.map(isFreePort))).every(Boolean)) return base;
  }
  throw new ReinsError({ code: 'service_unavailable', message: `no ${count} ports in a row are free` });
}
