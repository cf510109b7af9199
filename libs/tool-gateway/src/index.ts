/**
 * The tools of a run: MCP servers, the workspace's own tools and applications, started beside the run's tree, found, guarded, and served
 * to its executor from one endpoint with a token of its own.
 */
export type { WatchedProcess } from './client/server-spec.ts';
export { errorExcerpt, type HostPaths } from './errors/error-excerpt.ts';
export type { GatewayEndpoint } from './gateway/gateway-endpoint.ts';
export { type Denial, isGatedTool } from './guard/gate.ts';
export type { RunTool } from './inventory/run-tool.ts';
export {
  type RunServices,
  type ServicesContext,
  type ServicesRequest,
  startRunServices,
} from './run-services.ts';
export type { UnavailableServer } from './unavailable.ts';
