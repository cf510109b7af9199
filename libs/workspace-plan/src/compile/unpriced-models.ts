/** The model that runs instead of the one that a workspace names, if its price is unknown. */
export interface UnpricedModel {
  readonly model: string;
  /** How to limit the cost, or what else to do, in lower case. */
  readonly hint: string;
}

/** Finds the model without a price for a model as the workspace names it; undefined if its price is known. */
export type UnpricedModels = (model: string) => UnpricedModel | undefined;
