import { fileURLToPath } from 'node:url';
import { SERVICE_NAMES, type ServiceName } from '@reins/service-kit/installation';
import type { ServiceProcess } from './api.ts';

export interface ReinsServicesOptions {
  /** `single`: all services in one process; `separate`: each in its own. */
  readonly layout: 'single' | 'separate';
  /** The folder that contains services/. */
  readonly root: string;
  /** The port of the gateway. The other services use the following ports. */
  readonly portBase: number;
  /** The services to run. Default: all. */
  readonly names?: readonly ServiceName[];
}

/** The service processes of Reins, for the supervisor. */
export function reinsServices(options: ReinsServicesOptions): ServiceProcess[] {
  const { layout, root, portBase, names = SERVICE_NAMES } = options;
  const env = { REINS_HTTP_PORT_BASE: String(portBase) };
  const urlOf = (name: ServiceName): string => `http://127.0.0.1:${portBase + SERVICE_NAMES.indexOf(name)}/readyz`;
  const entryOf = (name: ServiceName, entry: string): string => `${root}/services/${name}/dist/${entry}.js`;
  if (layout === 'separate') {
    return names.map((name) => ({ name, main: entryOf(name, 'main'), env, readyUrls: [urlOf(name)] }));
  }
  return [
    {
      name: 'services',
      main: fileURLToPath(new URL('./one-process.js', import.meta.url)),
      args: names.map((name) => entryOf(name, 'index')),
      env,
      readyUrls: names.map(urlOf),
    },
  ];
}
