import { type HarnessOffer, STAGES } from '@reins/contracts';
import { runtimesOfStage } from '../settings/stage-settings.ts';
import type { RunningProfile } from './running-profile.ts';

/** What is known about a runtime: the offer of a host, or a probe of this machine. */
export type RuntimeHealth = Pick<HarnessOffer, 'runtimeId' | 'version' | 'healthy' | 'reason' | 'providers'>;

/** The runtime of one stage, and its health. */
export interface StageRuntime {
  readonly stage: string;
  readonly runtimeId: string;
  readonly runtimeSource: 'stage' | 'default';
  readonly healthy: boolean;
  readonly version: string;
  readonly reason?: string;
  /** The runtimes that take over when it fails, in this order. */
  readonly fallback?: readonly string[];
}

/** The runtime of each stage in this profile. A runtime is healthy if one host offers it as healthy. */
export function stageRuntimes(profile: RunningProfile, known: readonly RuntimeHealth[]): readonly StageRuntime[] {
  return STAGES.map((stage) => {
    const mapped = profile.stages[stage];
    const runtimeId = mapped ?? profile.default;
    const own = known.filter((one) => one.runtimeId === runtimeId);
    const best = own.find(({ healthy }) => healthy) ?? own[0];
    const reason = best ? best.reason : 'no harness host offers it';
    const fallback = mapped ? runtimesOfStage(mapped, profile.stageSettings?.[stage]).slice(1) : [];
    return {
      stage,
      runtimeId,
      runtimeSource: mapped ? 'stage' : 'default',
      healthy: best?.healthy ?? false,
      version: best?.version ?? '',
      ...(reason && { reason }),
      ...(fallback.length > 0 && { fallback }),
    };
  });
}
