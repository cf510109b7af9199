import type { BusLog } from '@reins/bus';
import { ReinsError } from '@reins/contracts';
import type { ProcessSandbox } from '@reins/harness';
import { type NetworkLimit, networkLimit } from '@reins/os-sandbox';
import type { Settings } from '@reins/service-kit';

export type NetworkMode = Settings['host']['network'];

const SETTINGS = ['network', 'servicesNetwork'] as const;
type NetworkSettings = Pick<Settings['host'], 'sandbox' | (typeof SETTINGS)[number]>;

/** What executors, and what servers and tools of workspaces can connect to on this host. */
export interface NetworkModes {
  readonly executors: NetworkMode;
  readonly services: NetworkMode;
  /** How the sandbox restricts a network that is not open. */
  readonly limit: NetworkLimit;
}

/**
 * The modes that this host can enforce. Under `sandbox: preferred` they are open where it cannot, with a warning.
 * @throws ReinsError `settings_invalid` when `sandbox` is `off`, `sandbox_unavailable` when it is `required` and the
 *   host cannot restrict the network
 */
export async function networkModes(
  { sandbox: rule, network, servicesNetwork }: NetworkSettings,
  sandbox: ProcessSandbox | undefined,
  log: BusLog,
): Promise<NetworkModes> {
  const wanted = { executors: network, services: servicesNetwork };
  const [restricted] = SETTINGS.filter((name) => ({ network, servicesNetwork })[name] !== 'open');
  if (restricted === undefined) return { ...wanted, limit: 'none' };
  if (rule === 'off') throw withoutSandbox(restricted);
  const limit = sandbox ? await networkLimit(sandbox.isolation) : 'none';
  if (limit === 'none' && rule === 'required') throw unavailable(restricted);
  if (limit === 'none') {
    log.warn({ network, servicesNetwork }, 'network not restricted: this host has no sandbox that can do it');
    return { executors: 'open', services: 'open', limit };
  }
  log[limit === 'ports' ? 'warn' : 'info']({ network, servicesNetwork, limit }, 'network restricted');
  return { ...wanted, limit };
}

const HINT = 'Install bubblewrap, or run the host on Linux 6.7 or newer with Landlock.';

const unavailable = (setting: string): ReinsError =>
  new ReinsError({
    code: 'sandbox_unavailable',
    message: 'the sandbox of this host cannot restrict the network of executors',
    path: `host.${setting}`,
    hint: `${HINT} Or set host.${setting} to open, or host.sandbox to preferred.`,
  });

const withoutSandbox = (setting: string): ReinsError =>
  new ReinsError({
    code: 'settings_invalid',
    message: `host.${setting} restricts the network, but host.sandbox is off`,
    path: `host.${setting}`,
    hint: `Set host.sandbox to preferred or required, or host.${setting} to open.`,
  });
