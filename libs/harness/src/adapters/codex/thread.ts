import type { JsonObject } from '@reins/contracts';
import type { HarnessRun } from '../../contract.ts';

/**
 * The settings of a thread. Codex asks before each call, and the adapter decides. The sandbox of the host confines the
 * process with everything that it starts, so Codex uses none of its own: it does not work within that of the host.
 */
export const threadSettings = ({ modelId, workDir, systemPrompt }: HarnessRun): JsonObject => ({
  model: modelId,
  cwd: workDir,
  approvalPolicy: 'untrusted',
  sandbox: 'danger-full-access',
  baseInstructions: systemPrompt,
});
