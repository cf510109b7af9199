import { isObject } from '@reins/contracts';
import type { OperatorSurface, OperatorSurfaceContext } from './types.ts';

const TYPES: readonly OperatorSurface['surface_type'][] = ['browser', 'editor', 'terminal', 'app_surface'];
const OWNERS: readonly OperatorSurface['owner'][] = ['user', 'agent'];
const MUTABILITIES: readonly OperatorSurface['mutability'][] = ['inspect_only', 'takeover_allowed', 'agent_owned'];
const MAX_SURFACES = 50;

/**
 * Parses the operator surface that a desktop returned. Entries of an unknown type or owner are skipped. Returns null
 * when the value is not a list of surfaces.
 */
export function parseOperatorSurface(value: unknown): OperatorSurfaceContext | null {
  if (!isObject(value) || !Array.isArray(value.surfaces)) return null;
  const active = value.active_surface_id;
  return {
    active_surface_id: typeof active === 'string' ? active : null,
    surfaces: value.surfaces.slice(0, MAX_SURFACES).flatMap((entry) => surfaceOf(entry) ?? []),
  };
}

function surfaceOf(entry: unknown): OperatorSurface | undefined {
  if (!isObject(entry) || typeof entry.surface_id !== 'string') return undefined;
  const surfaceType = TYPES.find((type) => type === entry.surface_type);
  const owner = OWNERS.find((known) => known === entry.owner);
  if (surfaceType === undefined || owner === undefined) return undefined;
  return {
    surface_id: entry.surface_id,
    surface_type: surfaceType,
    owner,
    active: entry.active === true,
    mutability: MUTABILITIES.find((known) => known === entry.mutability) ?? 'inspect_only',
    summary: typeof entry.summary === 'string' ? entry.summary : '',
  };
}
