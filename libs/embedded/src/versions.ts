/** Version of the embedded NATS server. */
export const NATS_VERSION = '2.15.2';

/** Earlier servers lose data under faults that Reins must survive, or lack scheduled messages. */
export const NATS_MINIMUM_VERSION = '2.12.3';

/** Major version of the Postgres packages. Postgres cannot open a data directory of another major version. */
export const POSTGRES_VERSION = 18;

export type Version = readonly [major: number, minor: number, patch: number];

/** Parses the first `x.y.z` in a text such as `nats-server: v2.15.2`. */
export function parseVersion(text: string): Version | undefined {
  const match = /(\d+)\.(\d+)\.(\d+)/.exec(text);
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : undefined;
}

/** Whether `version` is `minimum` or newer. */
export function isAtLeast(version: Version, minimum: Version): boolean {
  for (const [index, part] of version.entries()) {
    const other = minimum[index] ?? 0;
    if (part !== other) return part > other;
  }
  return true;
}
