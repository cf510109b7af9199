/** How much a model thinks, in ascending order. */
export const THINKING_LEVELS = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type ThinkingLevel = (typeof THINKING_LEVELS)[number];

/** How the thinking of a model is controlled. */
export interface ThinkingFacts {
  /** Whether its vendor's API takes a level or a number of tokens. */
  readonly by: 'effort' | 'budget';
  /** The supported levels, each with the value that the API takes. */
  readonly efforts: Readonly<Partial<Record<ThinkingLevel, string>>>;
  /** Whether thinking can be switched off, or the level that switches it off. */
  readonly off: boolean | string;
  /** The accepted numbers of tokens, if it takes a number. `unlimited`: the one for as many as the model wants. */
  readonly budgets?: { readonly min: number; readonly max: number; readonly unlimited?: number };
}

/** Prices in US dollars per million tokens. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  /** Tokens that are read from a cache. Absent: the price of input. */
  readonly cachedInput?: number;
  /** Tokens that are written to a cache. Absent: the price of input. */
  readonly cacheWrite?: number;
}

export interface Prices extends Rates {
  /** The rates of calls with more input tokens. The highest threshold that a call exceeds applies to the whole call. */
  readonly above?: readonly (Rates & { readonly inputTokens: number })[];
}

/** What is known about a model. An absent field is unknown. */
export interface ModelFacts {
  readonly reasoning?: boolean;
  readonly thinking?: ThinkingFacts;
  /** In tokens. */
  readonly contextWindow?: number;
  /** In tokens. */
  readonly maxOutputTokens?: number;
  /** Whether it accepts images. */
  readonly images?: boolean;
  readonly prices?: Prices;
}

/** The models of each provider, by id. */
export type CatalogueModels = Readonly<Record<string, Readonly<Record<string, ModelFacts>>>>;
