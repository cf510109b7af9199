import { type Bus, openBucket } from '@reins/bus';
import { type HarnessOffer, isReinsError, STAGES } from '@reins/contracts';
import { probe } from '@reins/sandbox';
import type { Settings } from '@reins/service-kit/installation';
import { installationSettings, withBus } from '../bus/with-bus.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { table } from '../output/table.ts';

interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly message: string;
  readonly hint?: string;
}

interface StageRuntime {
  readonly stage: string;
  readonly runtime_id: string;
  readonly runtime_source: 'stage' | 'default';
  readonly healthy: boolean;
  readonly version: string;
  readonly reason?: string;
}

interface Report {
  readonly checks: readonly Check[];
  readonly stages: readonly StageRuntime[];
}

export async function doctor(context: CliContext): Promise<ExitCode> {
  const settings = installationSettings(context);
  const gateway = await checkGateway(context);
  const { checks, stages } = await withBus(context, (bus) => examine(bus, settings)).catch((error): Report => {
    if (!isReinsError(error)) throw error;
    return {
      checks: [{ name: 'nats', status: 'failed', message: error.message, ...(error.hint && { hint: error.hint }) }],
      stages: [],
    };
  });
  const report: Report = { checks: [gateway, await checkSandbox(settings), ...checks], stages };
  if (context.json) printJson(context, report);
  else print(context, report);
  return report.checks.some(({ status }) => status === 'failed') ? EXIT.failed : EXIT.ok;
}

async function checkGateway(context: CliContext): Promise<Check> {
  try {
    const { url } = gatewayAddress(context);
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) });
    if (response.ok) return { name: 'gateway', status: 'ok', message: url };
    return {
      name: 'gateway',
      status: 'failed',
      message: `${url} is not ready: ${(await response.text()).slice(0, 300)}`,
    };
  } catch (error) {
    return {
      name: 'gateway',
      status: 'failed',
      message: isReinsError(error) ? error.message : 'no response',
      hint: 'start a system with `reins up`',
    };
  }
}

/** The wall around authored processes on this host. Each control bus logs its own when it starts. */
async function checkSandbox({ processes: { sandbox } }: Settings): Promise<Check> {
  const { backend, lacks } = await probe();
  const name = 'sandbox';
  if (lacks.length === 0) return { name, status: 'ok', message: `${backend} confines processes on this host` };
  const missing = lacks.map(({ what }) => what).join(', ');
  const [{ reason, hint } = { reason: '', hint: '' }] = lacks;
  const status = backend === 'none' && sandbox === 'required' ? 'failed' : 'warning';
  return { name, status, message: `${backend} on this host lacks ${missing}: ${reason}`, hint };
}

async function examine(bus: Bus, settings: Settings): Promise<Report> {
  const server = bus.nc.info;
  const bucket = await openBucket<HarnessOffer>(bus, 'harnesses');
  const offers = (await Promise.all((await bucket.keys()).map((key) => bucket.get(key)))).flatMap((entry) =>
    entry ? [entry.value] : [],
  );
  const stages = STAGES.map((stage) => stageRuntime(stage, settings, offers));
  const missing = stages.filter(({ healthy }) => !healthy);
  return {
    stages,
    checks: [
      { name: 'nats', status: 'ok', message: `server ${server?.version ?? 'unknown'}` },
      await checkReplicas(bus),
      missing.length === 0
        ? { name: 'runtimes', status: 'ok', message: 'every stage has a healthy runtime' }
        : {
            name: 'runtimes',
            status: 'failed',
            message: missing.map(({ stage, runtime_id, reason }) => `${stage} → ${runtime_id}: ${reason}`).join('; '),
            hint: 'start a harness host that offers the runtime, or map the stage to another runtime in runtime_profile',
          },
    ],
  };
}

/** Reports what the replicas and the sync interval mean for accepted requests. */
async function checkReplicas(bus: Bus): Promise<Check> {
  const { config } = await bus.jsm.streams.info('JOURNAL');
  if (config.num_replicas >= 3)
    return {
      name: 'durability',
      status: 'ok',
      message: `JOURNAL has ${config.num_replicas} replicas: an accepted request survives the loss of any one node`,
    };
  return {
    name: 'durability',
    status: 'warning',
    message:
      'JOURNAL has one replica: an accepted request survives the loss of any process, but not of the disk; a power failure may lose writes that NATS has not synced yet (sync_interval)',
    hint: 'run NATS as a cluster of three and set nats.replicas to 3',
  };
}

function stageRuntime(
  stage: (typeof STAGES)[number],
  { runtimeProfile }: Settings,
  offers: readonly HarnessOffer[],
): StageRuntime {
  const mapped = runtimeProfile.stages[stage];
  const runtime_id = mapped ?? runtimeProfile.default;
  const own = offers.filter((offer) => offer.runtimeId === runtime_id);
  const offer = own.find(({ healthy }) => healthy) ?? own[0];
  const reason = offer ? offer.reason : 'no harness host offers it';
  return {
    stage,
    runtime_id,
    runtime_source: mapped ? 'stage' : 'default',
    healthy: offer?.healthy ?? false,
    version: offer?.version ?? '',
    ...(reason && { reason }),
  };
}

function print(context: CliContext, { checks, stages }: Report): void {
  const marks = { ok: '✓', warning: '!', failed: '✗' };
  for (const { name, status, message, hint } of checks)
    context.out(`${marks[status]} ${name}: ${message}\n${hint && status !== 'ok' ? `    ${hint}\n` : ''}`);
  const rows = stages.map(({ stage, runtime_id, runtime_source, healthy, version, reason }) => [
    stage,
    runtime_id,
    runtime_source,
    healthy ? 'yes' : `no: ${reason ?? ''}`,
    version,
  ]);
  if (rows.length > 0)
    context.out(`\n${table(['stage', 'runtime_id', 'runtime_source', 'healthy', 'version'], rows)}\n`);
}
