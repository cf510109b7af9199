import { probe } from '@reins/sandbox';
import type { Settings } from '@reins/service-kit/installation';
import type { Check } from './check.ts';

/** The wall around authored processes on this host. Each control bus logs its own when it starts. */
export async function checkSandbox({ processes: { sandbox } }: Settings): Promise<Check> {
  const { backend, lacks } = await probe();
  const name = 'sandbox';
  if (lacks.length === 0) return { name, status: 'ok', message: `${backend} confines processes on this host` };
  const missing = lacks.map(({ what }) => what).join(', ');
  const [{ reason, hint } = { reason: '', hint: '' }] = lacks;
  const status = backend === 'none' && sandbox === 'required' ? 'failed' : 'warning';
  return {
    name,
    status,
    message: `${backend === 'none' ? 'no sandbox' : backend} on this host; missing: ${missing} (${reason})`,
    hint,
  };
}
