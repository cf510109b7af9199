import { type ModelClient, modelClientOf } from '../model/client.ts';
import { chooseModel, type ModelSource } from '../model/select.ts';
import { resolveModelTarget } from '../model/target.ts';
import { leadAgent } from '../plan.ts';
import type { PrepareStageInput } from './input.ts';

/** The model of a stage, its source, and its client. */
export interface RoutedModel {
  readonly provider_id: string | null;
  readonly model_id: string | null;
  readonly model_source: ModelSource;
  readonly model_client: ModelClient | null;
}

/**
 * Selects and routes the model. A harness with its own model gets no client. One that can use either gets a client
 * if a provider is configured.
 */
export function routeModel(input: PrepareStageInput): RoutedModel {
  const { installation, plan, request, harness } = input;
  const catalog = installation.providers;
  const choice = chooseModel(input.selectedModel, catalog.default_model, leadAgent(plan).model);
  if (harness.modelClient === 'none') {
    return { provider_id: null, model_id: choice.model, model_source: choice.source, model_client: null };
  }
  const target = resolveModelTarget(choice.model, catalog);
  const hasNoProvider = harness.modelClient === 'optional' && target.provider === null;
  const caller = {
    workspaceId: request.workspaceId,
    sessionId: request.sessionId,
    inputId: request.requestId,
    runId: request.requestId,
    sandboxId: installation.sandboxId,
  };
  return {
    provider_id: target.providerId,
    model_id: target.modelId,
    model_source: choice.source,
    model_client: hasNoProvider ? null : modelClientOf(target, catalog, caller),
  };
}
