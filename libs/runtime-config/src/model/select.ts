import { BUILT_IN_MODEL } from './catalog.ts';

/** Who chose the model. */
export type ModelSource = 'request' | 'installation' | 'agent' | 'default';

/** The chosen model with the one who chose it. */
export interface ModelChoice {
  readonly model: string;
  readonly source: ModelSource;
}

/** The first that says something: the request, the installation's override, the workspace's agent, the built-in default. */
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
