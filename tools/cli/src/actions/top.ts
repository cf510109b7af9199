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
import { type Survey, survey } from '../top/survey.ts';

const EVERY_MS = 1_000;
/** How many live runs are shown. */
const RUNS = 20;

interface LiveRun {
  readonly request_id: string;
  readonly workspace_id: string;
  readonly status: string;
}

interface Overview extends Survey {
  /** Events that the read model does not have yet; null when Postgres cannot be asked. */
  readonly projector_lag_events: number | null;
  /** Null when the gateway cannot be asked. */
  readonly live_runs: readonly LiveRun[] | null;
}

/** Shows live runs, pools and lag: again and again until Ctrl-C, or once. */
export async function top(context: CliContext, once: boolean): Promise<ExitCode> {
  const ended = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort());
  await withBus(context, async (bus, settings) => {
    do {
      const overview = await look(context, bus, settings);
      if (context.json) context.out(`${JSON.stringify(overview)}\n`);
      else context.out(`${once ? '' : CLEAR}${screen(overview)}\n`);
    } while (!once && (await goesOn(ended.signal)));
  });
  return EXIT.ok;
}

const CLEAR = '\x1b[2J\x1b[H';

const goesOn = (signal: AbortSignal): Promise<boolean> => pause(EVERY_MS, true, { signal }).catch(() => false);

async function look(context: CliContext, bus: Bus, settings: Settings): Promise<Overview> {
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
    return null; // Postgres is away, which is what null says.
  } finally {
    await db.destroy();
  }
}

async function liveRuns(context: CliContext): Promise<LiveRun[] | null> {
  try {
    const client = new GatewayClient(gatewayAddress(context));
    const pages = await Promise.all(
      ['running', 'waiting'].map((status) =>
        client.get<{ requests: readonly RequestDetail[] }>(`/requests?status=${status}&limit=${RUNS}`),
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

function screen({ live_runs, projector_lag_events, pools, queues, streams, dead_letters }: Overview): string {
  const busy = queues.filter(({ waiting, in_work }) => waiting + in_work > 0);
  return [
    `projector behind: ${projector_lag_events ?? 'unknown'}   dead letters: ${dead_letters}`,
    streams
      .map(({ stream, messages, filled_percent }) => {
        const filled = filled_percent === undefined ? '' : ` (${filled_percent} % full)`;
        return `${stream} ${messages}${filled}`;
      })
      .join('   '),
    '',
    rows(['runtime', 'hosts', 'healthy', 'slots', 'in work', 'waiting'], pools),
    '',
    busy.length === 0 ? 'no work waits' : rows(['stream', 'consumer', 'waiting', 'in work', 'redelivered'], busy),
    '',
    live_runs === null
      ? 'live runs: the gateway cannot be asked'
      : live_runs.length === 0
        ? 'no live runs'
        : rows(['request', 'workspace', 'status'], live_runs),
  ].join('\n');
}

const rows = (header: readonly string[], items: readonly object[]): string =>
  table(
    header,
    items.map((item) => Object.values(item).map(String)),
  );
