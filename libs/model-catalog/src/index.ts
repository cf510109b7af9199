/** Facts about models, from a maintained catalogue and the settings of an installation. Pure: no files, no network. */
export { type CallTokens, costOf, maximumCost } from './cost.ts';
export {
  type ModelFacts,
  type Prices,
  type Rates,
  THINKING_LEVELS,
  type ThinkingFacts,
  type ThinkingLevel,
} from './facts.ts';
export { SOURCE as CATALOGUE_SOURCE } from './generated/models.ts';
export { isCatalogued, type ModelName, modelFacts } from './lookup.ts';
export { SCRIPTED_MODEL } from './scripted-model.ts';
export type { ModelFactSettings } from './settings.ts';
export { type AskedThinking, type SentThinking, thinkingFor } from './thinking.ts';
