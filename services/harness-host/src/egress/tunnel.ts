import type { Duplex } from 'node:stream';

/** The limits of a tunnel. */
export interface TunnelLimits {
  readonly idleMs: number;
  readonly totalMs: number;
  /** Called with the number of bytes of each chunk. The tunnel ends when it returns false. */
  readonly count: (bytes: number) => boolean;
}

/** Joins two streams until both have ended, one fails, or a limit is reached. Calls `ended` once. */
export function tunnel(inside: Duplex, outside: Duplex, limits: TunnelLimits, ended: () => void): void {
  let open = 2;
  const end = (): void => {
    clearTimeout(total);
    clearTimeout(idle);
    inside.destroy();
    outside.destroy();
  };
  const total = setTimeout(end, limits.totalMs);
  const idle = setTimeout(end, limits.idleMs);
  for (const [from, to] of [
    [inside, outside],
    [outside, inside],
  ] as const) {
    from.on('data', (chunk: Buffer) => {
      idle.refresh();
      if (!limits.count(chunk.byteLength)) end();
    });
    from.on('error', end);
    from.on('close', () => {
      open -= 1;
      to.end();
      if (open > 0) return;
      end();
      ended();
    });
    from.pipe(to);
  }
}
