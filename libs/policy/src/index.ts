/** Decides about tool calls with Cedar policies. Pure: no I/O, no clock. */
export { decide, type PolicyDecision, type PolicyLayers } from './decide.ts';
export { type ParsedPolicies, type PolicySource, parsePolicies } from './parse-policies.ts';
export type { Policies } from './policies.ts';
export type { ToolCallContext } from './tool-call.ts';
