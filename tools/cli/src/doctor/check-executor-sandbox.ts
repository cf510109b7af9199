import { hostname } from 'node:os';
import type { HarnessOffer } from '@reins/contracts';
import { probe } from '@reins/sandbox';
import type { Settings } from '@reins/service-kit/installation';
import type { Check } from './check.ts';

const name = 'executor sandbox';

/** The sandbox that executors have on each host, by what the hosts offer. Hosts of earlier versions do not say it. */
export function checkExecutorSandboxes(offers: readonly Pick<HarnessOffer, 'hostId' | 'sandbox'>[]): Check[] {
  const hosts = new Map(offers.flatMap(({ hostId, sandbox }) => (sandbox === undefined ? [] : [[hostId, sandbox]])));
  return [...hosts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([host, sandbox]) => checkOfHost(host, sandbox));
}

function checkOfHost(host: string, sandbox: string): Check {
  if (sandbox !== 'off' && sandbox !== 'none')
    return { name, status: 'ok', message: `${sandbox} confines executors on ${host}; ${MEMORY}` };
  const why = sandbox === 'off' ? 'host.sandbox is off' : 'the host has no sandbox';
  return {
    name,
    status: 'warning',
    message: `executors on ${host} are not confined: ${why}`,
    hint:
      sandbox === 'off'
        ? 'Set host.sandbox to preferred or required.'
        : 'Install bubblewrap on that host, and allow it to create user namespaces.',
  };
}

const MEMORY = 'the host measures their memory, and the kernel does not limit it';

/** The sandbox that executors would have on this host, by the settings of this folder. */
export async function checkExecutorSandbox({ host: { sandbox: rule } }: Settings): Promise<Check> {
  if (rule === 'off') {
    const message =
      'host.sandbox is off: tools of executors can read every file that the account of the harness host can read';
    return { name, status: 'warning', message, hint: 'Set host.sandbox to preferred or required.' };
  }
  const { backend, lacks } = await probe();
  if (lacks.length === 0)
    return { name, status: 'ok', message: `${backend} confines executors on ${hostname()}; ${MEMORY}` };
  const missing = lacks.map(({ what }) => what).join(', ');
  const [{ reason, hint } = { reason: '', hint: '' }] = lacks;
  const status = backend === 'none' && rule === 'required' ? 'failed' : 'warning';
  const found = backend === 'none' ? 'no sandbox' : backend;
  return { name, status, message: `${found} on ${hostname()}; missing: ${missing} (${reason})`, hint };
}
