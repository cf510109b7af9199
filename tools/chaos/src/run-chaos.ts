import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@reins/store';
import { checkAll } from './checks/check-all.ts';
import { isToLostRequest } from './checks/leftovers.ts';
import type { Violation } from './checks/violation.ts';
import { collectEvidence } from './evidence/collect.ts';
import type { Evidence } from './evidence/evidence.ts';
import { Observer } from './evidence/observer.ts';
import { settle } from './evidence/settle.ts';
import { inject, waitUntilReady } from './faults/inject.ts';
import { type Fault, scheduleFaults } from './faults/schedule.ts';
import type { Restore } from './faults/set-back.ts';
import { type AcceptedRequest, Load } from './load/load.ts';
import { type CheckedLoad, type UncertainLoad, withoutLost, withUncertain } from './load/lost-requests.ts';
import { Operator, type OperatorReport } from './load/operator.ts';
import { MODES, modesOf } from './modes.ts';
import { type ChaosOptions, commandOf } from './options.ts';
import { connectOperator } from './system/connect.ts';
import { type RunningSystem, replicasOf, startRunningSystem } from './system/start.ts';

export interface ChaosReport {
  readonly ok: boolean;
  readonly violations: readonly Violation[];
  /** The command that repeats the run. */
  readonly command: string;
  /** The folder of logs and data; undefined when it was removed. */
  readonly dir: string | undefined;
  readonly kills: number;
  readonly freezes: number;
  /** By crash point: the number of crashes. */
  readonly crashPoints: Readonly<Record<string, number>>;
  readonly requests: number;
  /** Accepted requests that a restore removed. */
  readonly lostRequests: number;
  /** Messages to them, which have to be dead-lettered. */
  readonly deadLettersToLostRequests: number;
  readonly operator: OperatorReport;
  readonly endings: Readonly<Record<string, number>>;
  readonly events: number;
  readonly entries: number;
  readonly seconds: Readonly<Record<string, number>>;
}

export type ChaosLog = (line: string) => void;

/** After the faults: maximum time without any progress while requests are running. */
const END_TIMEOUT_MS = 150_000;
/** More attempts than the production default, because hosts are killed all the time and runs must end as expected. */
const LIMITS = { stageMaxAttempts: 10 };
/** How long the load runs before the first fault and after the last one. */
const MARGIN_MS = 1_500;
/** Number of faults between two restores or recreated buckets. */
const CHANGE_AFTER = 5;

/** Runs the whole test: start, load and faults, settle, checks, stop. */
export async function runChaos(options: ChaosOptions, log: ChaosLog): Promise<ChaosReport> {
  const dir = await mkdtemp(join(tmpdir(), `reins-chaos-${options.seed}-`));
  await chmod(dir, 0o755); // Postgres may run under another account
  const stopwatch = new Stopwatch();
  log(`state and logs: ${dir}`);
  const crashFolder = crashFolderIn(dir);
  await mkdir(crashFolder);
  const modes = modesOf(options.modes);
  const changed = (section: 'limits' | 'gateway') =>
    Object.assign({}, ...modes.map((mode) => mode.settings?.[section]));
  const settings = {
    limits: { ...LIMITS, ...changed('limits') },
    gateway: changed('gateway'),
    chaos: { crashPoints: crashFolder },
  };
  const environmentOf = (service: string): Readonly<Record<string, string>> =>
    Object.assign({}, ...modes.map(({ environment }) => environment?.(service) ?? {}));
  const running = await startRunningSystem({ dir, replicas: options.replicas, log, settings, environmentOf });
  stopwatch.lap('start');
  try {
    const { load, submitted, lost, crashPoints } = await injectFaults(running, options, dir, log);
    stopwatch.lap('faults');
    const operator = new Operator(running.gateway, load.acknowledged, lost, log);
    const evidence = await observe(running, submitted, operator, log).finally(() => load.stopAnswering());
    stopwatch.lap('rest');
    const result = withoutLost(submitted, evidence.journals);
    const violations = checkAll({ ...result, evidence, damaged: operator.damaged });
    const kept = violations.length > 0 || options.keep;
    await running.stop();
    if (!kept) await rm(dir, { recursive: true, force: true });
    stopwatch.lap('checks and stop');
    return reportOf(options, {
      result,
      crashPoints,
      evidence,
      violations,
      operator: operator.report,
      dir: kept ? dir : undefined,
      seconds: stopwatch.laps,
    });
  } finally {
    await running.stop();
  }
}

const crashFolderIn = (dir: string): string => join(dir, 'crash-points');

/** The selected modes, and the state folder. */
interface ChangeOptions extends Pick<ChaosOptions, 'modes'> {
  readonly dir: string;
}

interface FaultPhase {
  /** Still answers the questions of runs. */
  readonly load: Load;
  readonly submitted: UncertainLoad;
  /** The periods that the restored copies do not cover. */
  readonly lost: readonly Restore[];
  readonly crashPoints: Readonly<Record<string, number>>;
}

async function injectFaults(
  { system, gateway }: RunningSystem,
  options: ChaosOptions,
  dir: string,
  log: ChaosLog,
): Promise<FaultPhase> {
  const crashFolder = crashFolderIn(dir);
  const { seed, rate, replicas } = options;
  const targets = options.targets.flatMap((target) => replicasOf(target, replicas));
  const kinds = modesOf(options.modes).flatMap((mode) => mode.kinds ?? []);
  const load = await Load.start({ gateway, seed, rate, kinds });
  try {
    const { crashPoints, lost, over } = await injectAll(system, { ...options, targets, dir }, crashFolder, log);
    const submitted = withUncertain(await load.stop(), load.acceptedAt, lost);
    await over;
    await waitUntilReady(system);
    log(`${submitted.accepted.length + submitted.uncertain.length} requests were accepted`);
    return { load, submitted, lost, crashPoints };
  } catch (error) {
    await load.abandon();
    throw error;
  }
}

/** Injects the faults of the schedule. The last ones may not be over yet. */
async function injectAll(
  system: RunningSystem['system'],
  { modes, dir, ...schedule }: Parameters<typeof scheduleFaults>[0] & ChangeOptions,
  crashFolder: string,
  log: ChaosLog,
): Promise<Pick<FaultPhase, 'crashPoints' | 'lost'> & { readonly over: Promise<unknown> }> {
  const ends: Promise<void>[] = [];
  const lost: Restore[] = [];
  const crashPoints: Record<string, number> = {};
  await sleep(MARGIN_MS);
  for (const [index, fault] of scheduleFaults(schedule).entries()) {
    await sleep(fault.afterMs);
    const { over, reached } = await inject(system, fault, crashFolder);
    log(`${describeFault(fault)}${reached === false ? ': crash point not reached' : ''}`);
    if (fault.at && reached) crashPoints[fault.at] = (crashPoints[fault.at] ?? 0) + 1;
    ends.push(over);
    if (index % CHANGE_AFTER === CHANGE_AFTER - 1) lost.push(...(await changeData(system, { modes, dir }, log)));
  }
  await sleep(MARGIN_MS);
  return { crashPoints, lost, over: Promise.all(ends) };
}

async function changeData(
  system: RunningSystem['system'],
  { modes, dir }: ChangeOptions,
  log: ChaosLog,
): Promise<Restore[]> {
  const lost: Restore[] = [];
  for (const mode of modes) {
    const change = MODES[mode]?.changeData;
    if (!change) continue;
    const time = await change(system, dir);
    if (time) lost.push(time);
    log(mode);
  }
  return lost;
}

function describeFault({ kind, target, afterMs, againAfterMs, at }: Fault): string {
  if (at !== undefined) return `kill ${target} at ${at} (after ${afterMs} ms)`;
  const again = againAfterMs === undefined ? '' : `, and again ${againAfterMs} ms into its restart`;
  return `${kind} ${target} (after ${afterMs} ms)${again}`;
}

async function observe(
  { system, gateway }: RunningSystem,
  { accepted, uncertain }: UncertainLoad,
  operator: Operator,
  log: ChaosLog,
): Promise<Evidence> {
  const observer = await Observer.connect(system);
  const bus = await connectOperator(system, 'chaos');
  const db = openDatabase({ url: system.databaseUrl, name: 'chaos' });
  try {
    const help = (open: readonly AcceptedRequest[]): Promise<void> => operator.help(open);
    await settle({ observer, db }, { accepted, uncertain, help, timeoutMs: END_TIMEOUT_MS, log });
    return await collectEvidence({ observer, bus, db, gateway }, [...accepted, ...uncertain]);
  } finally {
    await Promise.all([observer.close(), bus.close(), db.destroy()]);
  }
}

interface Outcome extends Pick<FaultPhase, 'crashPoints'> {
  readonly result: CheckedLoad;
  readonly operator: OperatorReport;
  readonly evidence: Evidence;
  readonly violations: readonly Violation[];
  readonly dir: string | undefined;
  readonly seconds: ChaosReport['seconds'];
}

function reportOf(
  options: ChaosOptions,
  { result, crashPoints, evidence, operator, violations, dir, seconds }: Outcome,
): ChaosReport {
  const statuses = evidence.seen.filter(({ requestId }) => !result.lost?.has(requestId)).map(({ status }) => status);
  const endings = Object.fromEntries(
    [...new Set(statuses)].sort().map((status) => [status, statuses.filter((each) => each === status).length]),
  );
  const entries = [...evidence.journals.values()].reduce((sum, journal) => sum + journal.entries.length, 0);
  return {
    ok: violations.length === 0,
    violations,
    command: commandOf(options),
    dir,
    kills: options.kills,
    freezes: options.freezes,
    crashPoints,
    requests: result.accepted.length,
    lostRequests: result.lost?.size ?? 0,
    deadLettersToLostRequests: evidence.dead.filter((letter) => isToLostRequest(result, letter)).length,
    operator,
    endings,
    events: evidence.events.length,
    entries,
    seconds,
  };
}

/** Measures the duration of each phase in seconds. */
class Stopwatch {
  readonly laps: Record<string, number> = {};
  #since = performance.now();

  lap(name: string): void {
    const now = performance.now();
    this.laps[name] = Math.round((now - this.#since) / 100) / 10;
    this.#since = now;
  }
}
