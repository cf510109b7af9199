import type { OperatorSurfaceContext } from './types.ts';

/** Returns whose browser a run uses: the one that is active in the operator surface, or null when that is unknown. */
export function browserSpace(context: OperatorSurfaceContext | null): 'agent' | 'user' | null {
  if (context === null) return null;
  if (context.active_surface_id === 'browser:user') return 'user';
  if (context.active_surface_id === 'browser:agent') return 'agent';
  return context.surfaces.find((surface) => surface.surface_type === 'browser' && surface.active)?.owner ?? null;
}
