import type { CliContext } from '../context.ts';
import { type PackedJournal, packed } from '../runs/packed-journal.ts';
import { requestCode } from './request-code.ts';
import { withRequest } from './request-journal.ts';

/** Packs the journal of a request. */
export function packRequest(context: CliContext, requestId: string): Promise<PackedJournal> {
  return withRequest(context, requestId, async (loaded, bus) => packed(loaded, await requestCode(loaded, bus)));
}
