import { type JsonObject, ReinsError } from '@reins/contracts';
import { wrongUsage } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import { resumeRequest } from './control.ts';
import { withRequest } from './request-journal.ts';

/**
 * Resumes a request whose process failed: its owner replays the process with the current code. The error stays in the journal.
 * @throws ReinsError `process_not_broken` when the process did not fail · `wrong_usage` for patches, because a journal on the bus is immutable
 */
export async function recoverRequest(
  context: CliContext,
  requestId: string,
  { patches, isDryRun }: { readonly patches: readonly string[]; readonly isDryRun: boolean },
): Promise<JsonObject> {
  if (patches.length > 0)
    throw wrongUsage(
      'the recorded results of a request cannot be changed',
      `Request the effect again with \`reins task:invalidate ${requestId} <effect>\`, then post the result with \`reins task:post\`.`,
    );
  const errorSeq = await withRequest(context, requestId, async ({ entries, state }) => {
    const found = entries.findLast(({ type }) => type === 'PROCESS_RUNTIME_ERROR');
    if (state.processError && !state.end && found) return found.version;
    const message = `the process ${found ? `has already recovered from its error (entry ${found.version})` : 'has not failed'}`;
    const hint = `Continue from an earlier entry with \`reins fork ${requestId} --at <n>\`.`;
    throw new ReinsError({ code: 'process_not_broken', message, path: requestId, hint });
  });
  if (!isDryRun) await resumeRequest(context, requestId);
  return { requestId, removedSeq: null, errorSeq, patched: 0, backupDir: null, recovered: !isDryRun };
}
