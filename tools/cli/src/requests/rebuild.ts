import { setTimeout as sleep } from 'node:timers/promises';
import { type Bus, openBucket } from '@reins/bus';
import { isReinsError, type JsonObject, type SessionRecord } from '@reins/contracts';
import type { RunState } from '@reins/journal';
import { type Drift, pendingByKind } from '@reins/run-directory';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { type Difference, differencesOf, requestFromApi, requestFromJournal } from './comparable-request.ts';
import { type LoadedRequest, withRequest } from './request-journal.ts';

/** The state derived from the journal of a request, compared with the journal. */
export interface StateComparison {
  readonly requestId: string;
  readonly metadata: JsonObject;
  /** State of the API response: `missing` when the API does not know the request, `stale` when it differs. */
  readonly drift: Drift;
  readonly differences: readonly Difference[];
  /** Always empty: nothing is rebuilt here. */
  readonly made: readonly [];
  /** The remedy; absent when nothing differs. */
  readonly mend?: string;
}

/** Derived state may lag briefly. Only differences that last this long are reported. */
const LAG_TOLERANCE_MS = 2_000;
const POLL_INTERVAL_MS = 250;

/**
 * Folds the journal of a request and compares the result with the read model and with the record of its session. Changes nothing.
 * @throws ReinsError `journal_corrupt` when the journal cannot be folded
 */
export function compareState(context: CliContext, requestId: string): Promise<StateComparison> {
  return withRequest(context, requestId, async (first, bus, reload) => {
    const client = new GatewayClient(gatewayAddress(context));
    let loaded = first;
    let found = await compared(client, bus, loaded);
    for (const deadline = Date.now() + LAG_TOLERANCE_MS; found.drift !== 'none' && Date.now() < deadline; ) {
      await sleep(POLL_INTERVAL_MS);
      loaded = await reload();
      found = await compared(client, bus, loaded);
    }
    const { head } = loaded.state;
    const metadata = {
      pendingEffectsByKind: pendingByKind(loaded),
      stateVersion: head.version,
      journalHead: { seq: head.version, hash: head.hash },
      stateRebuilt: false,
      stateRebuildReason: null,
    };
    return { requestId, metadata, ...found, made: [] };
  });
}

type Comparison = Pick<StateComparison, 'drift' | 'differences' | 'mend'>;

async function compared(client: GatewayClient, bus: Bus, loaded: LoadedRequest): Promise<Comparison> {
  const [journal = {}, response, session] = await Promise.all([
    requestFromJournal(loaded),
    findRequest(client, loaded.run.runId),
    sessionDifferences(bus, loaded.state),
  ]);
  const differences = [...differencesOf(journal, response ? requestFromApi(response) : {}), ...session];
  if (differences.length === 0) return { drift: 'none', differences };
  const remedies = [
    ...(differences.length > session.length ? [READ_MODEL] : []),
    ...(session.length > 0 ? [SESSION] : []),
  ];
  return { drift: response ? 'stale' : 'missing', differences, mend: remedies.join(' ') };
}

const READ_MODEL = 'Rebuild the read model with `reins projections rebuild`.';
const SESSION = 'Restart the control bus; the next owner of the partition updates the session.';

async function findRequest(client: GatewayClient, requestId: string): Promise<JsonObject | undefined> {
  try {
    return await client.get<JsonObject>(`/requests/${requestId}`);
  } catch (error) {
    if (isReinsError(error) && error.code === 'request_not_found') return undefined;
    throw error;
  }
}

/** A request holds its session while it runs. A child run has no session. */
async function sessionDifferences(bus: Bus, { run, sessionId, parent, end }: RunState): Promise<Difference[]> {
  if (parent) return [];
  const sessions = await openBucket<SessionRecord>(bus, 'sessions');
  const running = (await sessions.get(`${run.workspaceId}.${sessionId}`))?.value.running?.requestId ?? null;
  const path = 'session.running';
  if (end) return running === run.runId ? [{ path, journal: null, told: running }] : [];
  return running === run.runId ? [] : [{ path, journal: run.runId, told: running }];
}
