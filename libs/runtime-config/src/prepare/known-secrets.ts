import type { CompiledWorkspaceRuntimePlan } from '../plan.ts';
import { secretsIn } from '../redact/secrets-in.ts';
import { identityOf, memoizePerPlan } from './memo.ts';

/**
 * The secrets to remove from a snapshot: those that the caller knows, and literal secrets in the configuration of the
 * workspace. Returns the same list for the same plan and the same list of the caller.
 */
export const knownSecrets = memoizePerPlan(
  (callerSecrets: readonly string[]) => `${identityOf(callerSecrets)}`,
  (plan, callerSecrets): readonly string[] => {
    const literals = secretsIn(configurationOf(plan));
    return literals.length === 0 ? callerSecrets : [...callerSecrets, ...literals];
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
