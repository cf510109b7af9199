import type { JsonObject } from '@reins/contracts';
import type { HarnessAdapter, McpEndpoint, ModelEndpoint } from '../contract.ts';
import type { ProcessSandbox } from '../process/process-sandbox.ts';

/** The behaviour of the model in a case. For an adapter without a model, the instruction carries the scenario. */
export const SCENARIO_NAMES = [
  'text',
  'write',
  'e500',
  'e401',
  'cut',
  'hang',
  'garbage',
  'json',
  'prose',
  'mcp',
  'question',
  'e400',
  'e429',
  'think',
  'system',
  'recall',
  'offered',
  'separators',
  'large',
  'shell',
  'parallel',
  'sleep',
] as const;
export type Scenario = (typeof SCENARIO_NAMES)[number];

/** An adapter under test, and what its cases need. */
export interface ConformanceSubject {
  readonly adapter: HarnessAdapter;
  /** The endpoint of a scenario's model. */
  endpoint(scenario: Scenario): ModelEndpoint;
  /**
   * For `mcp` and `question`: a gateway with the tools `mcp__fixture__echo` and `question`. The first returns
   * `echo: <text>`, and fails for `bad`.
   */
  readonly gateway?: McpEndpoint;
  /** The instruction of a case; for most adapters just `text`. */
  instruction(scenario: Scenario, text: string): string;
  /** The scenarios that do not apply to the adapter, each with its reason. */
  readonly without?: Partial<Record<Scenario, string>>;
  /** `harness.<runtimeId>.*` */
  readonly settings?: JsonObject;
  /** The folder of installed executables. */
  readonly harnessesDir?: string;
  /** The sandbox that its processes run in. Absent: none. */
  readonly sandbox?: ProcessSandbox;
  /** Creates an empty folder. */
  folder(): Promise<string>;
}
