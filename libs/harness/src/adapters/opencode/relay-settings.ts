/** The variable with the path of the file with the `RelaySettings`. */
export const RELAY_VARIABLE = 'REINS_RELAY_FILE';
/** What the names of variables with secrets start with. The relay removes them before a tool can start a process. */
export const SECRET_PREFIX = 'REINS_SECRET_';

/** What the adapter passes to the relay in a file. It has no secrets. */
export interface RelaySettings {
  readonly systemPrompt: string;
  /** The base URL of the model. */
  readonly modelUrl: string;
  /** The names under which the model is offered all tools of the run. */
  readonly tools: readonly string[];
  /** Whether the built-in tools may use only the folders of the run. */
  readonly isConfined: boolean;
}
