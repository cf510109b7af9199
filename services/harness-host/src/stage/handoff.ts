import type { JsonValue, StageHandoff } from '@reins/contracts';
import type { Redactor } from '../secrets/redactor.ts';
import type { ToolResults } from './tool-results.ts';

/** The maximum number of open steps that a stage lists, and of characters of each. */
const MAX_STEPS = 20;
const MAX_CHARACTERS = 200;

export interface HandoffParts {
  readonly services: { readonly openSteps: readonly string[] } | undefined;
  readonly redactor: Pick<Redactor, 'value'>;
}

/** What a stage passes on to stages with another conversation. Nothing if it called no tools and left no steps open. */
export function handoffOf(
  { results, omitted }: Pick<ToolResults, 'results' | 'omitted'>,
  { services, redactor }: HandoffParts,
): { readonly handoff?: StageHandoff } {
  const openSteps = (services?.openSteps ?? []).slice(0, MAX_STEPS).map((step) => step.slice(0, MAX_CHARACTERS));
  if (results.length === 0 && openSteps.length === 0) return {};
  const handoff = {
    ...(results.length > 0 && { toolResults: results }),
    ...(omitted > 0 && { omittedResults: omitted }),
    ...(openSteps.length > 0 && { openSteps }),
  };
  return { handoff: redactor.value(handoff as unknown as JsonValue) as unknown as StageHandoff };
}
