import { ReinsError } from '@reins/contracts';

/**
 * The first version with scheduled messages, per-message TTL and batched direct get. Earlier servers lose data under
 * faults that Reins must survive.
 */
export const MINIMUM_SERVER_VERSION = '2.12.3';

const VERSION = /^v?(\d+)\.(\d+)\.(\d+)(-.+)?/;

/**
 * Returns a negative number when `a` is older than `b`. A pre-release is older than its release; text that is not a
 * version is older than any version.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [VERSION.exec(a), VERSION.exec(b)];
  if (!left || !right) return Number(Boolean(left)) - Number(Boolean(right));
  for (const part of [1, 2, 3]) {
    const difference = Number(left[part]) - Number(right[part]);
    if (difference !== 0) return difference;
  }
  return Number(!left[4]) - Number(!right[4]);
}

/** @throws ReinsError `bus_server_too_old` when the version is older than `MINIMUM_SERVER_VERSION` */
export function assertServerVersion(version: string): void {
  if (compareVersions(version, MINIMUM_SERVER_VERSION) >= 0) return;
  throw new ReinsError({
    code: 'bus_server_too_old',
    message: version
      ? `the NATS server is ${version}, older than ${MINIMUM_SERVER_VERSION}`
      : `the version of the NATS server is unknown; ${MINIMUM_SERVER_VERSION} or newer is required`,
    hint: `Upgrade the NATS server to ${MINIMUM_SERVER_VERSION} or newer.`,
  });
}
