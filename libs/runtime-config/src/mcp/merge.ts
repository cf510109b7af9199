import { canonicalJson } from '@reins/contracts';
import type { McpServerPayload } from './payloads.ts';

/**
 * Merges payloads by name. An override replaces the base payload at the same position. The merged payload requires
 * clients to reconnect (`_holaboss_force_refresh`) if either payload does, or if the configuration changed.
 */
export function mergeMcpServerPayloads(
  base: readonly McpServerPayload[],
  override: readonly McpServerPayload[],
): readonly McpServerPayload[] {
  const merged = new Map(base.map((payload) => [payload.name, payload]));
  for (const payload of override) {
    const before = merged.get(payload.name);
    merged.set(payload.name, { ...payload, _holaboss_force_refresh: needsRefresh(before, payload) });
  }
  return [...merged.values()];
}

function needsRefresh(before: McpServerPayload | undefined, after: McpServerPayload): boolean {
  if (after._holaboss_force_refresh === true) return true;
  if (before === undefined) return false;
  return before._holaboss_force_refresh === true || canonicalJson(before.config) !== canonicalJson(after.config);
}
