import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inboxPrefixOf } from '@reins/service-kit/nats-users';
import type { HarnessesDetail } from '../client/api-types.ts';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, RUN_FILES } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { followToEnd } from '../run/actions.ts';
import { submit } from '../run/submit.ts';
import { type RunningInstallation, up } from './up.ts';

const QUICKSTART = fileURLToPath(new URL('../../../../examples/quickstart', import.meta.url));
const QUICKSTART_INPUT =
  'Write hello.txt: a greeting in its first line, and in its last line that every step of this run is recorded.';

export interface UpFlags {
  readonly quickstart?: boolean;
  readonly once?: boolean;
  readonly separate?: boolean;
  readonly telemetry?: boolean;
}

/** `reins up` */
export async function upCommand(context: CliContext, flags: UpFlags): Promise<ExitCode> {
  const interrupted = Promise.withResolvers<NodeJS.Signals>();
  const start = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      interrupted.resolve(signal);
      start.abort();
    });
  const running = await started(context, flags, start.signal);
  if (!running) return flags.once ? EXIT.failed : EXIT.ok;
  try {
    announce(context, running);
    const outcome = flags.quickstart
      ? await Promise.race([quickstart(context, running), interrupted.promise])
      : undefined;
    if (flags.once && typeof outcome === 'number') return outcome;
    if (outcome === undefined || typeof outcome === 'number') {
      context.note('up; press Ctrl-C to stop');
      await interrupted.promise;
    }
    return flags.once ? EXIT.failed : EXIT.ok;
  } finally {
    context.note('stopping');
    await running.stop();
  }
}

/** Starts the system; undefined if a signal ended the start. */
async function started(
  context: CliContext,
  { separate, telemetry }: UpFlags,
  signal: AbortSignal,
): Promise<RunningInstallation | undefined> {
  const stopping = (): void => context.note('stopping before the system is ready');
  signal.addEventListener('abort', stopping);
  try {
    return await up(context, { layout: separate ? 'separate' : 'single', telemetry: telemetry === true, signal });
  } catch (error) {
    if (error !== signal.reason) throw error;
    return undefined;
  } finally {
    signal.removeEventListener('abort', stopping);
  }
}

async function quickstart(context: CliContext, { gatewayUrl, apiKey, models }: RunningInstallation): Promise<ExitCode> {
  const client = new GatewayClient({ url: gatewayUrl, apiKey });
  const model = models.model ?? (models.modelsOf && (await listedModel(client, models.modelsOf)));
  if (models.modelsOf !== undefined && model === undefined) {
    context.note(`the quickstart was not started: no model of the provider ${models.modelsOf} is known`);
    context.note('  Run it with `reins run examples/quickstart --model <provider>/<model>`, or set model.override.');
    return EXIT.failed;
  }
  const { requestId } = await submit(client, { dir: QUICKSTART, input: QUICKSTART_INPUT, ...(model && { model }) });
  return followToEnd(context, client, requestId, { isForeground: true });
}

/** The first model in the list of a provider, as a host found it. Models that only embed texts cannot answer. */
async function listedModel(client: GatewayClient, providerId: string): Promise<string | undefined> {
  const { harnesses } = await client.get<HarnessesDetail>('/harnesses');
  const found = harnesses.flatMap(({ providers }) => providers.filter((one) => one.providerId === providerId));
  const model = found.flatMap(({ models = [] }) => models).find((name) => !name.includes('embed'));
  return model === undefined ? undefined : `${providerId}/${model}`;
}

function announce(context: CliContext, { gatewayUrl, apiKey, newKey, system }: RunningInstallation): void {
  context.note(`gateway   ${gatewayUrl}   (OpenAPI at ${gatewayUrl}/api/openapi.json)`);
  context.note(`nats      ${system.natsUrl}`);
  if (system.natsUsersDir !== undefined) context.note(`          ${natsContext(system.natsUrl, system.natsUsersDir)}`);
  context.note(
    `postgres  ${withoutPassword(system.databaseUrl)}   (password in ${join(context.stateDir, RUN_FILES.gateway)})`,
  );
  if (newKey) context.note(`API key   ${apiKey}   (shown only now; commands in this folder use it automatically)`);
}

/** The command that gives the `nats` CLI the operator's key, and the operator's own prefix for replies. */
const natsContext = (url: string, usersDir: string): string =>
  `nats context save reins --server ${url} --nkey ${join(usersDir, 'operator.nk')} ` +
  `--inbox-prefix ${inboxPrefixOf('operator')} --select`;

function withoutPassword(url: string): string {
  const shown = new URL(url);
  shown.password = '';
  return shown.toString();
}
