import { BUILT_IN_MODEL } from './catalog.ts';

/** Where the model was selected. */
export type ModelSource = 'request' | 'installation' | 'agent' | 'default';

/** The selected model and its source. */
export interface ModelChoice {
  readonly model: string;
  readonly source: ModelSource;
}

/**
 * Selects the first model that is set: that of the request, the override of the installation, the model of the agent,
 * the built-in default.
 */
export function chooseModel(
  selected: string | null | undefined,
  override: string | null | undefined,
  agentModel: string | null | undefined,
): ModelChoice {
  const candidates: readonly (readonly [ModelSource, string | null | undefined])[] = [
    ['request', selected],
    ['installation', override],
    ['agent', agentModel],
  ];
  for (const [source, name] of candidates) {
    const model = name?.trim() ?? '';
    if (model !== '') return { model, source };
  }
  return { model: BUILT_IN_MODEL, source: 'default' };
}
