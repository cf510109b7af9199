import type { HandoffFile, JsonValue, StageHandoff } from '@reins/contracts';
import type { HostRequest } from '@reins/runtime-config';
import type { Redactor } from '../secrets/redactor.ts';
import type { StageServices } from '../services/stage-services.ts';
import type { ToolResults } from './tool-results.ts';

/** The maximum number of entries that a stage lists of each kind, and of characters of each. */
const MAX_ENTRIES = 20;
const MAX_CHARACTERS = 200;
const MAX_FILES = 50;
const MAX_GOAL = 400;

export interface HandoffParts {
  readonly request: Pick<HostRequest, 'run_started_payload'>;
  readonly workspace: { readonly changedFiles: readonly HandoffFile[] };
  readonly services: Pick<StageServices, 'openSteps' | 'decisions' | 'openQuestions'> | undefined;
  readonly redactor: Pick<Redactor, 'value'>;
}

/**
 * What a stage passes on to stages with another conversation: the goal, decisions, changed files, open questions and
 * steps, and the results of tools by reference. Nothing if the stage leaves only its output.
 */
export function handoffOf(
  { results, omitted }: Pick<ToolResults, 'results' | 'omitted'>,
  { request, workspace, services, redactor }: HandoffParts,
): { readonly handoff?: StageHandoff } {
  const { changedFiles } = workspace;
  const handoff = {
    ...(results.length > 0 && { toolResults: results }),
    ...(omitted > 0 && { omittedResults: omitted }),
    ...listed('decisions', services?.decisions),
    ...(changedFiles.length > 0 && { filesChanged: changedFiles.slice(0, MAX_FILES) }),
    ...(changedFiles.length > MAX_FILES && { omittedFiles: changedFiles.length - MAX_FILES }),
    ...listed('openQuestions', services?.openQuestions),
    ...listed('openSteps', services?.openSteps.slice(0, MAX_ENTRIES)),
  };
  if (Object.keys(handoff).length === 0) return {};
  const { instruction_preview: preview = '' } = request.run_started_payload;
  const goal = preview.slice(0, MAX_GOAL);
  const whole = { ...(goal.trim() !== '' && { goal }), ...handoff };
  return { handoff: redactor.value(whole as unknown as JsonValue) as unknown as StageHandoff };
}

function listed(name: string, texts: readonly string[] = []): Readonly<Record<string, readonly string[]>> {
  const entries = texts.slice(-MAX_ENTRIES).map((text) => text.slice(0, MAX_CHARACTERS));
  return entries.length === 0 ? {} : { [name]: entries };
}
