import { setTimeout as sleep } from 'node:timers/promises';
import { type Bus, openBucket } from '@reins/bus';
import { isReinsError, type JsonObject, type SessionRecord } from '@reins/contracts';
import type { RunState } from '@reins/journal';
import { type Drift, pendingByKind } from '@reins/journal/rundir';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { type Difference, differencesOf, requestFromApi, requestFromJournal } from './comparable-request.ts';
import { type RequestReading, withRequest } from './request-journal.ts';

/** How what is derived from the journal of a request stands to it. */
export interface StateComparison {
  readonly requestId: string;
  readonly metadata: JsonObject;
  /** Of what the API tells: it knows nothing of the request, or says something else. */
  readonly drift: Drift;
  readonly differences: readonly Difference[];
  /** Nothing is made again here. */
  readonly made: readonly [];
  /** What mends it; absent where nothing is wrong. */
  readonly mend?: string;
}

/** What tells of a run is behind it by moments: only what stays different is. */
const PATIENCE_MS = 2_000;
const PAUSE_MS = 250;

/**
 * Folds the journal of a request again, and compares what follows from it with what is told of the request: the read model, and the session
 * that it belongs to. Changes nothing.
 * @throws ReinsError `journal_corrupt` when there is no whole journal to fold
 */
export function compareState(context: CliContext, requestId: string): Promise<StateComparison> {
  return withRequest(context, requestId, async (first, bus, again) => {
    const client = new GatewayClient(gatewayAddress(context));
    let reading = first;
    let found = await compared(client, bus, reading);
    for (const until = Date.now() + PATIENCE_MS; found.drift !== 'none' && Date.now() < until; ) {
      await sleep(PAUSE_MS);
      reading = await again();
      found = await compared(client, bus, reading);
    }
    const { head } = reading.state;
    const metadata = {
      pendingEffectsByKind: pendingByKind(reading),
      stateVersion: head.version,
      journalHead: { seq: head.version, hash: head.hash },
      stateRebuilt: false,
      stateRebuildReason: null,
    };
    return { requestId, metadata, ...found, made: [] };
  });
}

type Comparison = Pick<StateComparison, 'drift' | 'differences' | 'mend'>;

async function compared(client: GatewayClient, bus: Bus, reading: RequestReading): Promise<Comparison> {
  const [journal = {}, told, session] = await Promise.all([
    requestFromJournal(reading),
    answerOf(client, reading.run.runId),
    sessionDifferences(bus, reading.state),
  ]);
  const differences = [...differencesOf(journal, told ? requestFromApi(told) : {}), ...session];
  if (differences.length === 0) return { drift: 'none', differences };
  const mends = [
    ...(differences.length > session.length ? [READ_MODEL] : []),
    ...(session.length > 0 ? [SESSION] : []),
  ];
  return { drift: told ? 'stale' : 'missing', differences, mend: mends.join('; ') };
}

const READ_MODEL = '`reins projections rebuild` makes the read model again from the log';
const SESSION = 'the session follows when the next owner of its partition takes the run up: restart the control bus';

async function answerOf(client: GatewayClient, requestId: string): Promise<JsonObject | undefined> {
  try {
    return await client.get<JsonObject>(`/requests/${requestId}`);
  } catch (error) {
    if (isReinsError(error) && error.code === 'request_not_found') return undefined;
    throw error;
  }
}

/** A request has its session as long as it runs, and no longer; one inside another run has none. */
async function sessionDifferences(bus: Bus, { run, sessionId, parent, end }: RunState): Promise<Difference[]> {
  if (parent) return [];
  const sessions = await openBucket<SessionRecord>(bus, 'sessions');
  const running = (await sessions.get(`${run.workspaceId}.${sessionId}`))?.value.running?.requestId ?? null;
  const path = 'session.running';
  if (end) return running === run.runId ? [{ path, journal: null, told: running }] : [];
  return running === run.runId ? [] : [{ path, journal: run.runId, told: running }];
}
