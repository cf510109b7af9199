import type { Bus } from '@reins/bus';
import { isReinsError } from '@reins/contracts';
import { WorkspaceProcesses } from '@reins/control-bus/core';
import { hasCodeHash, isAuthored, type ProcessCode, recordedCode } from '@reins/journal';
import { openTrees } from '@reins/service-kit/installation';
import type { LoadedRequest } from './request-journal.ts';

/**
 * The code of the workspace processes of a request, from the revision that it was accepted with, or that its code was
 * assigned from. Code that the revision does not have, and code that is not the recorded one, is left out.
 */
export async function requestCode({ entries, state }: LoadedRequest, bus: Bus): Promise<ProcessCode[]> {
  const processes = recordedCode(entries).filter(({ id }) => isAuthored(id));
  if (processes.length === 0) return [];
  const { revision } = state;
  const authored = new WorkspaceProcesses(await openTrees(bus));
  try {
    const found: ProcessCode[] = [];
    for (const { id, codeHash, revision: corrected } of processes) {
      const code = await authored.code({ id, revision: corrected ?? revision }).catch(unlessMissing);
      if (code && hasCodeHash(code.manifest, codeHash)) found.push(code);
    }
    return found;
  } finally {
    await authored.close();
  }
}

function unlessMissing(error: unknown): undefined {
  if (isReinsError(error)) return undefined;
  throw error;
}
