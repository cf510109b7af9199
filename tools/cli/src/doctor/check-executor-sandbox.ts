import { hostname } from 'node:os';
import { probe } from '@reins/sandbox';
import type { Settings } from '@reins/service-kit/installation';
import type { Check } from './check.ts';

/** The sandbox that executors have on this host, by the settings of this folder. Each harness host logs its own when it starts. */
export async function checkExecutorSandbox({ host: { sandbox: rule } }: Settings): Promise<Check> {
  const name = 'executor sandbox';
  if (rule === 'off') {
    const message =
      'host.sandbox is off: tools of executors can read every file that the account of the harness host can read';
    return { name, status: 'warning', message, hint: 'Set host.sandbox to preferred or required.' };
  }
  const { backend, lacks } = await probe();
  if (lacks.length === 0) return { name, status: 'ok', message: `${backend} confines executors on ${hostname()}` };
  const missing = lacks.map(({ what }) => what).join(', ');
  const [{ reason, hint } = { reason: '', hint: '' }] = lacks;
  const status = backend === 'none' && rule === 'required' ? 'failed' : 'warning';
  const found = backend === 'none' ? 'no sandbox' : backend;
  return { name, status, message: `${found} on ${hostname()}; missing: ${missing} (${reason})`, hint };
}
