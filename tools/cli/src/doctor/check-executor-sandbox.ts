import { hostname } from 'node:os';
import type { HarnessOffer } from '@reins/contracts';
import { networkLimit, probe } from '@reins/sandbox';
import type { Settings } from '@reins/service-kit/installation';
import type { Check } from './check.ts';

const name = 'executor sandbox';

type OfferedSandbox = Pick<HarnessOffer, 'hostId' | 'sandbox' | 'network'>;

/**
 * The sandbox that executors have on each host, and its network, by what the hosts offer. Hosts of earlier versions do
 * not say it.
 */
export function checkExecutorSandboxes(offers: readonly OfferedSandbox[]): Check[] {
  const hosts = new Map(offers.filter(({ sandbox }) => sandbox !== undefined).map((offer) => [offer.hostId, offer]));
  return [...hosts.values()].toSorted((a, b) => (a.hostId < b.hostId ? -1 : 1)).map(checkOfHost);
}

function checkOfHost({ hostId: host, sandbox, network }: OfferedSandbox): Check {
  if (sandbox !== 'off' && sandbox !== 'none') {
    const about = network === undefined ? '' : `; their network mode is ${network}`;
    return { name, status: 'ok', message: `${sandbox} confines executors on ${host}${about}; ${MEMORY}` };
  }
  const why = sandbox === 'off' ? 'host.sandbox is off' : 'the host has no sandbox';
  return {
    name,
    status: 'warning',
    message: `executors on ${host} are not confined: ${why}; their tools ${UNCONFINED}`,
    hint:
      sandbox === 'off'
        ? 'Set host.sandbox to preferred or required.'
        : 'Install bubblewrap on that host, and allow it to create user namespaces.',
  };
}

/** What tools of executors can do without a sandbox. */
const UNCONFINED =
  'can read every file and the environment of every process that the account of the harness host can read, such as ' +
  'files with keys of providers, the variables that hold them, and the trees of other runs';

const MEMORY = 'the host measures their memory, and the kernel does not limit it';

/** The sandbox that executors would have on this host, by the settings of this folder. */
export async function checkExecutorSandbox({ host }: Settings): Promise<Check> {
  const { sandbox: rule } = host;
  if (rule === 'off') {
    const message = `host.sandbox is off: tools of executors ${UNCONFINED}`;
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

const NETWORKS: Readonly<Record<Settings['host']['network'], string>> = {
  open: 'can connect to everything that the host can reach',
  doors: 'can connect only to their model and their tools',
  'allow-list': 'can connect only to their model, their tools and host.allow',
};

/** What executors of this host can connect to, by the settings of this folder. */
export async function checkExecutorNetwork({ host }: Settings): Promise<Check> {
  const { network, sandbox } = host;
  const about = { name: 'executor network', message: `${network}: executors ${NETWORKS[network]}` };
  if (network === 'open') return { ...about, status: 'ok' };
  const limit = sandbox === 'off' ? 'none' : await networkLimit(await probe());
  if (limit === 'namespace') return { ...about, status: 'ok' };
  if (limit === 'ports')
    return {
      ...about,
      status: 'warning',
      message: `${about.message}, and to the same ports of other hosts: ${hostname()} has no network namespaces`,
      hint: INSTALL,
    };
  const status = sandbox === 'preferred' ? 'warning' : 'failed';
  return {
    ...about,
    status,
    message: `host.network is ${network}, and ${hostname()} cannot enforce it`,
    hint: INSTALL,
  };
}

const INSTALL = 'Install bubblewrap on the host, and allow it to create user namespaces.';
