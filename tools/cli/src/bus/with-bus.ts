import { type Bus, connectBus } from '@reins/bus';
import { ReinsError } from '@reins/contracts';
import { busIdentity, processSettings, type Settings } from '@reins/service-kit/installation';
import { type CliContext, runFile } from '../context.ts';

/** The settings of this installation. Addresses default to those that `reins up` recorded. */
export function installationSettings(context: CliContext): Settings {
  const { natsUrl, natsUsersDir, databaseUrl } = runFile(context.stateDir) ?? {};
  return processSettings({
    REINS_NATS_URL: natsUrl,
    // REINS_NATS_URL in the environment names another server, on which these users do not exist.
    ...(context.env.REINS_NATS_URL === undefined && { REINS_NATS_USERS_DIR: natsUsersDir }),
    REINS_DATABASE_URL: databaseUrl,
    ...context.env,
  });
}

/**
 * Calls `work` with a connection to the bus and closes the connection.
 * @throws ReinsError `bus_unavailable` when the bus cannot be reached
 */
export async function withBus<T>(context: CliContext, work: (bus: Bus, settings: Settings) => Promise<T>): Promise<T> {
  const settings = installationSettings(context);
  const bus = await connectBus({
    servers: settings.nats.url.split(','),
    name: 'reins-cli',
    ...busIdentity(settings.nats, 'operator'),
  }).catch((cause) => {
    throw new ReinsError(
      {
        code: 'bus_unavailable',
        message: `cannot reach NATS at ${settings.nats.url}`,
        hint: 'Start a system with `reins up`, or set REINS_NATS_URL.',
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
