import { type Bus, openBucket } from '@reins/bus';
import type { RuntimeProfileSettings } from '../settings/settings.ts';

/** The runtime profile that an installation runs with. */
export type RunningProfile = Pick<RuntimeProfileSettings, 'default' | 'stages'>;

/** Its key in the bucket `positions`, which only the control bus and the narrator write. */
const KEY = 'runtime-profile';

/** Records the profile of this control bus, so that operators can read it from every folder. */
export async function recordRunningProfile(bus: Bus, { default: fallback, stages }: RunningProfile): Promise<void> {
  const bucket = await openBucket<RunningProfile>(bus, 'positions');
  await bucket.put(KEY, { default: fallback, stages: { ...stages } });
}

/** The profile that the last started control bus recorded; undefined if none did. */
export async function readRunningProfile(bus: Bus): Promise<RunningProfile | undefined> {
  const bucket = await openBucket<RunningProfile>(bus, 'positions');
  return (await bucket.get(KEY))?.value;
}
