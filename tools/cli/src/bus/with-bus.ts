import { type Bus, connectBus } from '@reins/bus';
import { ReinsError } from '@reins/contracts';
import { busAuth, processSettings, type Settings } from '@reins/service-kit/installation';
import { type CliContext, runFile } from '../context.ts';

/** The settings of this installation, with the addresses that `reins up` wrote down where none are set. */
export function installationSettings(context: CliContext): Settings {
  const { natsUrl, databaseUrl } = runFile(context.stateDir) ?? {};
  return processSettings({ REINS_NATS_URL: natsUrl, REINS_DATABASE_URL: databaseUrl, ...context.env });
}

/**
 * Does something with a connection to the bus, and closes it.
 * @throws ReinsError `bus_unavailable` when it cannot be reached
 */
export async function withBus<T>(context: CliContext, work: (bus: Bus, settings: Settings) => Promise<T>): Promise<T> {
  const settings = installationSettings(context);
  const auth = busAuth(settings.nats);
  const bus = await connectBus({
    servers: settings.nats.url.split(','),
    name: 'reins-cli',
    ...(auth && { auth }),
  }).catch((cause) => {
    throw new ReinsError(
      {
        code: 'bus_unavailable',
        message: `NATS at ${settings.nats.url} cannot be reached`,
        hint: 'start a system with `reins up`, or set REINS_NATS_URL',
      },
      { cause },
    );
  });
  try {
    return await work(bus, settings);
  } finally {
    await bus.close();
  }
}
