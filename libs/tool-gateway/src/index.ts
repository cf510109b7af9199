/**
 * The tools of a run. Starts MCP servers, workspace tools and applications, discovers their tools, checks calls, and
 * serves the tools to the executor from one endpoint with a token of the run.
 */
export type { WatchedProcess } from './client/server-spec.ts';
export type { Connect } from './client/socket-fetch.ts';
export { errorExcerpt, type HostPaths } from './errors/error-excerpt.ts';
export type { AnsweredElicitation, ElicitationsOptions } from './gateway/elicitations.ts';
export type { GatewayEndpoint } from './gateway/gateway-endpoint.ts';
export type { CallAuthority, CallRefusal, DecidedCall, Denial } from './guard/gate.ts';
export type { MissingTools } from './inventory/discover.ts';
export type { RunTool } from './inventory/run-tool.ts';
export { KeptServices } from './kept/kept-services.ts';
export { SharedServers, type SharedServersOptions } from './kept/shared-servers.ts';
export type { OwnTool } from './own/own-tool.ts';
export { questionTool } from './own/question.ts';
export { type SkillPorts, skillTool } from './own/skills.ts';
export { type Todo, TodoList } from './own/todos.ts';
export { type OpenNetwork, type OwnNetwork, sandboxWith } from './own-network.ts';
export { PackageCache } from './packages/package-cache.ts';
export { registryVariables } from './packages/registry-variables.ts';
export {
  type RunServices,
  type ServicesContext,
  type ServicesRequest,
  type StartedServer,
  startRunServices,
} from './run-services.ts';
export { SetupCache } from './setups/setup-cache.ts';
export type { UnavailableServer } from './unavailable.ts';
