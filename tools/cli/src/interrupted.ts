/** A signal that aborts at Ctrl-C, or at SIGTERM. */
export function interrupted(): AbortSignal {
  const ended = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ended.abort());
  return ended.signal;
}
