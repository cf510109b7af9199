import { type JsonObject, ReinsError } from '@reins/contracts';
import { wrongUsage } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import { resumeRequest } from './control.ts';
import { withRequest } from './request-journal.ts';

/**
 * Lets the process of a request that failed by itself go on: its owner replays it with the code that is there now. Its error stays in the journal.
 * @throws ReinsError `process_not_broken` when it has none · `wrong_usage` for patches: what a journal on the bus has is not changed
 */
export async function recoverRequest(
  context: CliContext,
  requestId: string,
  { patches, isDryRun }: { readonly patches: readonly string[]; readonly isDryRun: boolean },
): Promise<JsonObject> {
  if (patches.length > 0)
    throw wrongUsage(
      'a result that a request has recorded is not changed',
      `\`reins task:invalidate ${requestId} <effect>\` has it asked for again, and \`reins task:post\` gives it another one`,
    );
  const errorSeq = await withRequest(context, requestId, async ({ entries, state }) => {
    const found = entries.findLast(({ type }) => type === 'PROCESS_RUNTIME_ERROR');
    if (state.processError && !state.end && found) return found.version;
    const message = `its process ${found ? `has no error any more (entry ${found.version} had one)` : 'has not failed by itself'}`;
    const hint = `to go on from before an entry: \`reins fork ${requestId} --at <n>\``;
    throw new ReinsError({ code: 'process_not_broken', message, path: requestId, hint });
  });
  if (!isDryRun) await resumeRequest(context, requestId);
  return { requestId, removedSeq: null, errorSeq, patched: 0, backupDir: null, recovered: !isDryRun };
}
