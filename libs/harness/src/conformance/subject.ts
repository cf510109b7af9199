import type { JsonObject } from '@reins/contracts';
import type { HarnessAdapter, McpEndpoint, ModelEndpoint } from '../contract.ts';

/** What a model does in a case. An adapter that calls no model is told so in its instruction instead. */
export const SCENARIOS = ['text', 'write', 'e500', 'e401', 'cut', 'hang', 'garbage', 'json', 'prose', 'mcp'] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** An adapter under test, and the world that a case needs. */
export interface ConformanceSubject {
  readonly adapter: HarnessAdapter;
  /** Where the model of a scenario is reached. */
  endpoint(scenario: Scenario): ModelEndpoint;
  /** For `mcp`: a gateway that serves the tool `mcp__fixture__echo`, which answers `echo: <text>` and fails for the text `bad`. */
  readonly gateway?: McpEndpoint;
  /** The instruction of a case; for most adapters just `text`. */
  instruction(scenario: Scenario, text: string): string;
  /** Cases that have no meaning for the adapter, each with its reason. */
  readonly without?: Partial<Record<Scenario, string>>;
  /** `harness.<runtimeId>.*` */
  readonly settings?: JsonObject;
  /** A new empty folder. */
  folder(): Promise<string>;
}
