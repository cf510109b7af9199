import type { EntryDraft } from '@reins/journal';
import { errorInfoOf, externalEndMark } from '@reins/replay';
import { admission, type Governance } from '@reins/replay/babysitter';

/** What the rules of a run are applied to. */
export interface GovernedRun {
  readonly governance: Governance | undefined;
  readonly processId: string;
  /** The run id that the process sees. */
  readonly runId: string;
}

/** A policy rule of the run denies a request. The child should have refused it, so the run ends. */
export class DeniedRequest extends Error {
  /** The entries to record instead of the turn. */
  readonly drafts: readonly EntryDraft[];

  constructor(drafts: readonly EntryDraft[]) {
    super('a policy rule denies a request');
    this.drafts = drafts;
  }
}

/**
 * Applies the rules to all requests of a turn, because the child may have been taken over.
 * @param pending effects that are cancelled when the run ends
 * @throws DeniedRequest
 */
export function assertPermitted(
  { governance, processId, runId }: GovernedRun,
  drafts: readonly EntryDraft[],
  pending: readonly { readonly effectId: string; readonly attempt: number }[],
): void {
  if (!governance) return;
  for (const draft of drafts) {
    if (draft.type !== 'EFFECT_REQUESTED') continue;
    const { kind, request, label } = draft.data;
    const { log, refused } = admission(governance, processId, { kind, request, label, runId });
    if (!refused) continue;
    const error = errorInfoOf(refused);
    const cancelled = pending.map(
      (effect): EntryDraft => ({
        type: 'EFFECT_CANCELLED',
        data: { ...effect, reason: error.message, confirmed: false },
      }),
    );
    const logged: EntryDraft[] = log ? [{ type: 'PROCESS_LOG', data: log }] : [];
    const end: EntryDraft = { type: 'RUN_FAILED', data: { error } };
    throw new DeniedRequest([...logged, ...cancelled, externalEndMark({ reason: error.message }), end]);
  }
}
