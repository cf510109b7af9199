import { setTimeout as pause } from 'node:timers/promises';
import type { Bus } from '@reins/bus';
import { isReinsError } from '@reins/contracts';
import type { Settings } from '@reins/service-kit/installation';
import { withBus } from '../bus/with-bus.ts';
import type { RequestDetail } from '../client/api-types.ts';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { table } from '../output/table.ts';
import { type Survey, survey } from './survey.ts';

const INTERVAL_MS = 1_000;
/** The most live runs to show of each status. */
const MAX_RUNS = 20;

interface LiveRun {
  readonly request_id: string;
  readonly workspace_id: string;
  readonly status: string;
}

interface Overview extends Survey {
  /** Events that the read model does not have yet; null when Postgres is unavailable. */
  readonly projector_lag_events: number | null;
  /** Null when the gateway is unavailable. */
  readonly live_runs: readonly LiveRun[] | null;
}

/** Prints live runs, pools and lag: repeatedly until Ctrl-C, or once. */
export async function top(context: CliContext, once: boolean): Promise<ExitCode> {
  const ended = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort());
  await withBus(context, async (bus, settings) => {
    do {
      const overview = await collect(context, bus, settings);
      if (context.json) context.out(`${JSON.stringify(overview)}\n`);
      else context.out(`${once ? '' : CLEAR}${screen(overview)}\n`);
    } while (!once && (await waitForNext(ended.signal)));
  });
  return EXIT.ok;
}

const CLEAR = '\x1b[2J\x1b[H';

const waitForNext = (signal: AbortSignal): Promise<boolean> => pause(INTERVAL_MS, true, { signal }).catch(() => false);

async function collect(context: CliContext, bus: Bus, settings: Settings): Promise<Overview> {
  const [found, projector_lag_events, live_runs] = await Promise.all([
    survey(bus),
    projectorLag(bus, settings),
    liveRuns(context),
  ]);
  return { live_runs, projector_lag_events, ...found };
}

async function projectorLag(bus: Bus, { database }: Settings): Promise<number | null> {
  const { openDatabase, readProjectionPosition } = await import('../projections.ts');
  const db = openDatabase(database);
  try {
    const [checkpoint, { state }] = await Promise.all([readProjectionPosition(db), bus.jsm.streams.info('EVENTS')]);
    return state.last_seq - (checkpoint?.seq ?? 0);
  } catch {
    return null; // Postgres is unavailable.
  } finally {
    await db.destroy();
  }
}

async function liveRuns(context: CliContext): Promise<LiveRun[] | null> {
  try {
    const client = new GatewayClient(gatewayAddress(context));
    const pages = await Promise.all(
      ['running', 'waiting'].map((status) =>
        client.get<{ requests: readonly RequestDetail[] }>(`/requests?status=${status}&limit=${MAX_RUNS}`),
      ),
    );
    return pages
      .flatMap(({ requests }) => requests)
      .map(({ requestId, workspaceId, status }) => ({
        request_id: requestId,
        workspace_id: workspaceId,
        status,
      }));
  } catch (error) {
    if (isReinsError(error)) return null;
    throw error;
  }
}

function screen({
  live_runs,
  projector_lag_events,
  parked_requests,
  pools,
  queues,
  streams,
  dead_letters,
}: Overview): string {
  const busy = queues.filter(({ waiting, in_work }) => waiting + in_work > 0);
  return [
    `projector lag: ${projector_lag_events ?? 'unknown'} events   dead letters: ${dead_letters}`,
    streams
      .map(({ stream, messages, filled_percent }) => {
        const filled = filled_percent === undefined ? '' : ` (${filled_percent} % full)`;
        return `${stream} ${messages}${filled}`;
      })
      .join('   '),
    '',
    rows(['runtime_id', 'hosts', 'healthy', 'slots', 'in_work', 'waiting'], pools),
    '',
    busy.length === 0 ? 'no pending work' : rows(['stream', 'name', 'waiting', 'in_work', 'redelivered'], busy),
    '',
    ...(parked_requests.length === 0
      ? []
      : [
          'parked requests (retry one with `reins requests unpark <request>`):',
          rows(['request_id', 'workspace_id', 'code', 'message', 'since', 'tries'], parked_requests),
          '',
        ]),
    live_runs === null
      ? 'live runs: unknown (the gateway is unavailable)'
      : live_runs.length === 0
        ? 'no live runs'
        : rows(['request_id', 'workspace_id', 'status'], live_runs),
  ].join('\n');
}

const rows = (header: readonly string[], items: readonly object[]): string =>
  table(
    header,
    items.map((item) => Object.values(item).map(String)),
  );
