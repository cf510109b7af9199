import type { CompiledWorkspaceRuntimePlan } from '../plan.ts';
import { secretsIn } from '../redact/secrets-in.ts';
import { identityOf, memoizePerPlan } from './memo.ts';

/**
 * The values that a snapshot is cleaned of wherever they stand: those that the caller knows, and those that the workspace's own
 * configuration holds as they are. For the same plan and the same list of the caller it is the same list.
 */
export const knownSecrets = memoizePerPlan(
  (given: readonly string[]) => `${identityOf(given)}`,
  (plan, given): readonly string[] => {
    const literals = secretsIn(configurationOf(plan));
    return literals.length === 0 ? given : [...given, ...literals];
  },
);

function configurationOf({ resolved_mcp_servers, resolved_applications }: CompiledWorkspaceRuntimePlan): unknown {
  const servers = resolved_mcp_servers.map(({ command, url, headers, environment }) => ({
    command,
    url,
    headers: Object.fromEntries(headers),
    environment: Object.fromEntries(environment),
  }));
  return { servers, resolved_applications };
}
