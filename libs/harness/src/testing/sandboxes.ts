import { tmpdir } from 'node:os';
import { tryBubblewrap, tryLandlock } from '@reins/os-sandbox';
import type { ProcessSandbox } from '../process/process-sandbox.ts';

/** A sandbox with each backend that this host has. The folders for temporary files are hidden, as on a harness host. */
export async function sandboxes(hidden: readonly string[] = []): Promise<ProcessSandbox[]> {
  const attempts = await Promise.all([tryBubblewrap(), tryLandlock('tested alone')]);
  return attempts.flatMap((attempt) =>
    'isolation' in attempt
      ? [
          {
            rule: 'required' as const,
            isolation: attempt.isolation,
            hidden: ['/tmp', '/root', '/run', tmpdir(), ...hidden],
          },
        ]
      : [],
  );
}
