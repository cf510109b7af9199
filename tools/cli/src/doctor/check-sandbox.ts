import { hostname } from 'node:os';
import { isObject, type JsonObject } from '@reins/contracts';
import { probe } from '@reins/sandbox';
import type { Settings } from '@reins/service-kit/installation';
import type { Check } from './check.ts';

/** What a host has around authored processes. */
interface HostSandbox {
  readonly host: string;
  readonly backend: string;
  readonly rule: string;
  readonly lacks: readonly { readonly what: string; readonly reason: string; readonly hint: string }[];
}

/** The sandbox of this host, for a system that does not run. */
export async function checkSandbox({ processes }: Settings): Promise<Check> {
  return checkOf({ host: hostname(), rule: processes.sandbox, ...(await probe()) });
}

/** The sandbox of each host that runs a control bus, by what the replicas report of themselves. */
export function checkSandboxes(replicas: readonly JsonObject[]): Check[] {
  const hosts = new Map<string, HostSandbox>();
  for (const { host, sandbox } of replicas)
    if (typeof host === 'string' && isObject(sandbox))
      hosts.set(host, { host, ...(sandbox as unknown as Omit<HostSandbox, 'host'>) });
  if (hosts.size > 0) return [...hosts.values()].toSorted((a, b) => (a.host < b.host ? -1 : 1)).map(checkOf);
  const message = 'no control bus reports the sandbox of its host';
  return [{ name: 'sandbox', status: 'warning', message, hint: 'Start a control bus, or update the ones that run.' }];
}

function checkOf({ host, backend, rule, lacks }: HostSandbox): Check {
  const name = 'sandbox';
  if (lacks.length === 0) return { name, status: 'ok', message: `${backend} confines processes on host ${host}` };
  const missing = lacks.map(({ what }) => what).join(', ');
  const [{ reason, hint } = { reason: '', hint: '' }] = lacks;
  const status = backend === 'none' && rule === 'required' ? 'failed' : 'warning';
  const found = backend === 'none' ? 'no sandbox' : backend;
  return { name, status, message: `${found} on host ${host}; missing: ${missing} (${reason})`, hint };
}
