import { type Bus, readReplicas } from '@reins/bus';
import { defined, isReinsError, type Problem } from '@reins/contracts';
import {
  type RunningProfile,
  type RuntimeHealth,
  readRunningProfile,
  type Settings,
  type StageRuntime,
  stageRuntimes,
} from '@reins/service-kit/installation';
import { installationSettings, withBus } from '../bus/with-bus.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { durationText } from '../output/run-lines.ts';
import { table } from '../output/table.ts';
import { Silence } from '../run/silence.ts';
import { runtimeProblems } from '../up/available-runtimes.ts';
import type { Check } from './check.ts';
import { checkExecutorNetwork, checkExecutorSandbox, checkExecutorSandboxes } from './check-executor-sandbox.ts';
import { checkClock, checkDurability, checkGateway, checkNats, readOffers } from './check-installation.ts';
import { checkModelCalls } from './check-model-calls.ts';
import { checkProviders, checkRuntimes } from './check-runtimes.ts';
import { checkSandbox, checkSandboxes } from './check-sandbox.ts';
import { probeLocalRuntimes } from './local-runtimes.ts';

interface Report {
  readonly checks: readonly Check[];
  /** Where the profile was read: from the running installation, or from the settings of this folder. */
  readonly profile_source: 'installation' | 'settings';
  readonly stages: readonly StageRuntime[];
}

/**
 * `reins doctor`: every check, and the runtime of each stage.
 * @param isDeep also compares the journals with what follows from them
 */
export async function doctor(context: CliContext, isDeep: boolean): Promise<ExitCode> {
  const since = performance.now();
  const silence = new Silence(() =>
    context.note(`waiting for the system, the runtimes and the providers (${durationText(performance.now() - since)})`),
  );
  const examined = await examine(context).finally(() => silence.end());
  const report = isDeep ? { ...examined, checks: [...examined.checks, ...(await examineStores(context))] } : examined;
  if (context.json) printJson(context, { ...report, stages: report.stages.map(rowOf) });
  else print(context, report);
  return report.checks.some(({ status }) => status === 'failed') ? EXIT.failed : EXIT.ok;
}

async function examine(context: CliContext): Promise<Report> {
  const gateway = await checkGateway(context);
  let settings: Settings;
  try {
    settings = installationSettings(context);
  } catch (error) {
    if (!isReinsError(error)) throw error;
    return { checks: [...error.problems.map(settingsCheck), gateway], profile_source: 'settings', stages: [] };
  }
  const report = await withBus(context, (bus) => examineRunning(bus, settings)).catch((error: unknown) => {
    if (!isReinsError(error)) throw error;
    return examineStopped(context, settings, error.problems[0] as Problem);
  });
  const modelCalls = gateway.status === 'ok' ? await checkModelCalls(context) : [];
  return { ...report, checks: [gateway, ...report.checks, ...modelCalls] };
}

async function examineStores(context: CliContext): Promise<readonly Check[]> {
  const { checksOf, compareStores } = await import('../doctor/check-consistency.ts');
  return withBus(context, async (bus, settings) => {
    const rows = await rowStatuses(settings).catch(() => undefined);
    const unread: Check[] = rows
      ? []
      : [{ name: 'row_differs', status: 'warning', message: 'Postgres cannot be read' }];
    const checks = checksOf(await compareStores(bus, settings.nats.partitions, rows));
    return [...checks.filter(({ name }) => rows !== undefined || name !== 'row_differs'), ...unread];
  });
}

/** The status of every request in the read model. */
async function rowStatuses({ database }: Settings): Promise<ReadonlyMap<string, string>> {
  const { openDatabase } = await import('../projections.ts');
  const db = openDatabase(database);
  try {
    const rows = await db.selectFrom('requests').select(['request_id', 'status']).execute();
    return new Map(rows.map(({ request_id, status }) => [request_id, status]));
  } finally {
    await db.destroy();
  }
}

/** Examines what the running installation reports, not the settings of this folder. */
async function examineRunning(bus: Bus, settings: Settings): Promise<Report> {
  const durability = await checkDurability(bus);
  const [recorded, offers] = await Promise.all([readRunningProfile(bus), readOffers(bus)]);
  const health = examineHealth(recorded ?? settings.runtimeProfile, offers);
  return {
    checks: [
      ...checkSandboxes(await readReplicas(bus)),
      ...checkExecutorSandboxes(offers),
      checkNats(bus),
      await checkClock(bus),
      durability,
      ...health.checks,
    ],
    profile_source: recorded ? 'installation' : 'settings',
    stages: health.stages,
  };
}

/** Examines the settings of this folder, and the runtimes of this machine: what the next start would use. */
async function examineStopped(context: CliContext, settings: Settings, { message, hint }: Problem): Promise<Report> {
  const nats: Check = { name: 'nats', status: 'failed', message, ...defined({ hint }) };
  const health = examineHealth(settings.runtimeProfile, await probeLocalRuntimes(context, settings));
  return {
    checks: [
      await checkSandbox(settings),
      await checkExecutorSandbox(settings),
      await checkExecutorNetwork(settings),
      nats,
      ...runtimeProblems(settings).map(settingsCheck),
      ...health.checks,
    ],
    profile_source: 'settings',
    stages: health.stages,
  };
}

function examineHealth(profile: RunningProfile, known: readonly RuntimeHealth[]): Pick<Report, 'checks' | 'stages'> {
  const stages = stageRuntimes(profile, known);
  return { stages, checks: [...checkProviders(known), checkRuntimes(stages)] };
}

const settingsCheck = ({ message, path, hint }: Problem): Check => ({
  name: 'settings',
  status: 'failed',
  message: path === undefined || message.includes(path) ? message : `${path}: ${message}`,
  ...defined({ hint }),
});

/** As a row of a table: with the names of columns. */
const rowOf = ({ runtimeId, runtimeSource, ...more }: StageRuntime) => ({
  ...more,
  runtime_id: runtimeId,
  runtime_source: runtimeSource,
});

const HEADINGS = {
  installation: 'Profile of the running installation:',
  settings: 'Profile from the settings in this folder:',
} as const;

function print(context: CliContext, { checks, profile_source, stages }: Report): void {
  const marks = { ok: '✓', warning: '!', failed: '✗' };
  for (const { name, status, message, hint } of checks)
    context.out(
      context.typed(`${marks[status]} ${name}: ${message}\n${hint && status !== 'ok' ? `    ${hint}\n` : ''}`),
    );
  // The checks above have the reasons.
  const hasFallbacks = stages.some(({ fallback }) => fallback);
  const rows = stages.map(({ stage, runtimeId, runtimeSource, healthy, version, fallback = [] }) => [
    stage,
    runtimeId,
    runtimeSource,
    healthy ? 'yes' : 'no',
    version,
    ...(hasFallbacks ? [fallback.join(', ')] : []),
  ]);
  if (rows.length === 0) return;
  const columns = ['stage', 'runtime_id', 'runtime_source', 'healthy', 'version'];
  const header = hasFallbacks ? [...columns, 'fallback'] : columns;
  context.out(`\n${HEADINGS[profile_source]}\n\n${table(header, rows)}\n`);
}
