import { type Bus, openBucket } from '@reins/bus';
import { defined } from '@reins/contracts';
import type { RuntimeProfileSettings } from '../settings/settings.ts';

/** The runtime profile that an installation runs with. */
export type RunningProfile = Pick<RuntimeProfileSettings, 'default' | 'stages' | 'stageSettings'>;

/** Its key in the bucket `positions`, which only the control bus and the narrator write. */
const KEY = 'runtime-profile';

/** Records the profile of this control bus, so that operators can read it from every folder. */
export async function recordRunningProfile(bus: Bus, profile: RunningProfile): Promise<void> {
  const { default: fallback, stages, stageSettings } = profile;
  const bucket = await openBucket<RunningProfile>(bus, 'positions');
  await bucket.put(KEY, { default: fallback, stages: { ...stages }, ...defined({ stageSettings }) });
}

/** The profile that the last started control bus recorded; undefined if none did. */
export async function readRunningProfile(bus: Bus): Promise<RunningProfile | undefined> {
  const bucket = await openBucket<RunningProfile>(bus, 'positions');
  return (await bucket.get(KEY))?.value;
}
