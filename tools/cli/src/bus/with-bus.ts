import { type Bus, connectBus } from '@reins/bus';
import { ReinsError } from '@reins/contracts';
import { busAuth, processSettings, type Settings } from '@reins/service-kit/installation';
import { type CliContext, runFile } from '../context.ts';

/** The settings of this installation. Addresses that are not set are those that `reins up` recorded. */
export function installationSettings(context: CliContext): Settings {
  const { natsUrl, databaseUrl } = runFile(context.stateDir) ?? {};
  return processSettings({ REINS_NATS_URL: natsUrl, REINS_DATABASE_URL: databaseUrl, ...context.env });
}

/**
 * Calls `work` with a connection to the bus and closes the connection.
 * @throws ReinsError `bus_unavailable` when the bus cannot be reached
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
        message: `cannot reach NATS at ${settings.nats.url}`,
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
