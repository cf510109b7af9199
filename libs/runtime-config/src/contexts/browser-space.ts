import type { OperatorSurfaceContext } from './types.ts';

/** In whose browser a run acts: the one that is active in front of the user, as far as that is known. */
export function browserSpace(context: OperatorSurfaceContext | null): 'agent' | 'user' | null {
  if (context === null) return null;
  if (context.active_surface_id === 'browser:user') return 'user';
  if (context.active_surface_id === 'browser:agent') return 'agent';
  return context.surfaces.find((surface) => surface.surface_type === 'browser' && surface.active)?.owner ?? null;
}
