import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Appender, Blobs, inline, lastMessageOn } from '@reins/bus';
import { type EntryData, type EntryType, inboxSubject, type JsonObject, type JsonValue } from '@reins/contracts';
import { EMPTY_HEAD, type EntryDraft, offloadLargeValue, sealEntries, streamJournalStore } from '@reins/journal';
import { blobValues, journalPort } from '@reins/journal/bus';
import { readLogMessage, writeBatch } from '@reins/store';
import { RunLog } from '../events/run-log.ts';
import { type ApiResult, TestGateway } from '../testing/test-gateway.ts';

const LIMITS = { startWithinMs: 1, runForMs: 1, maxAttempts: 1, onUnknown: 'fail' } as const;
const OPTIONS = { model: 'openai/x', thinkingValue: 'high', stages: { execute: 'codex' }, metadata: { ticket: 7 } };

let api: TestGateway;
beforeAll(async () => {
  api = await TestGateway.start();
});
afterAll(() => api.stop());

const draft = <T extends EntryType>(type: T, data: EntryData[T]): EntryDraft => ({ type, data }) as EntryDraft;

const asked = (effectId: string, kind: string, request: JsonObject): EntryDraft =>
  draft('EFFECT_REQUESTED', {
    effectId,
    kind,
    attempt: 1,
    key: effectId,
    argsHash: 'ab'.repeat(32),
    request,
    limits: LIMITS,
  });

/** Stores the journal of a request, in place of the control bus: a stage that completed, and one that was started. */
async function record(body: Record<string, unknown>, input: JsonValue, process = 'pipeline'): Promise<void> {
  const { requestId: runId, workspaceId, sessionId, revision } = body as Record<string, string>;
  const built = { input, attachments: [], profile: { default: 'pi', stages: {} }, ...OPTIONS };
  const given = process === 'pipeline' ? { inputs: built } : { inputs: input, metadata: OPTIONS };
  const drafts = [
    draft('RUN_CREATED', {
      ...{ workspaceId, sessionId, revision, agentId: 'main', process: { id: process, codeHash: 'c' } },
      ...{ session: {}, idempotencyKey: 'k', ...given },
    } as unknown as EntryData['RUN_CREATED']),
    asked('p1', 'prepare', { stage: 'interview' }),
    asked('s1', 'stage', { stage: 'interview' }),
    asked('p2', 'prepare', { stage: 'execute' }),
    asked('s2', 'stage', { stage: 'execute' }),
  ];
  const blobs = await Blobs.open(api.bus);
  const appender = new Appender(api.bus, { stream: 'JOURNAL' });
  const journals = streamJournalStore(journalPort(api.bus, appender, blobs), { partitions: 4 });
  const stored = await Promise.all(drafts.map((each) => offloadLargeValue(each, blobValues(blobs))));
  const entries = sealEntries(EMPTY_HEAD, stored, new Date().toISOString());
  await journals.append({ workspaceId: String(workspaceId), runId: String(runId) }, { entries, epoch: 1 }, 0);
  await appender.close();
}

/** Submits a request, stores its journal, and publishes its events up to its end. */
async function ended(input: JsonValue = 'hello', process?: string): Promise<Record<string, unknown>> {
  const { body } = await api.submit({ input });
  await record(body, input, process);
  await api.publishRun(body);
  return body;
}

const retry = (id: unknown, body: object = {}, headers: Record<string, string> = {}): Promise<ApiResult> =>
  api.post(`/requests/${id}/retry`, body, headers);

async function commandOf({ body }: ApiResult): Promise<Record<string, unknown>> {
  const address = { workspaceId: 'quickstart', runId: String(body.requestId) };
  const message = await lastMessageOn(api.bus, 'INBOX', inboxSubject({ type: 'command.run.submit', ...address }, 4));
  const data = await inline(await Blobs.open(api.bus), message?.data ?? new Uint8Array());
  return JSON.parse(new TextDecoder().decode(data));
}

describe('a retry of a request', () => {
  test('is a new request with the same input, options, process, session and revision', async () => {
    const origin = await ended();
    const accepted = await retry(origin.requestId);
    expect(accepted.status).toBe(202);
    const { sessionId, revision, workspaceId } = origin;
    expect(accepted.body).toMatchObject({ sessionId, revision, workspaceId, status: 'accepted' });
    expect(accepted.body.requestId).not.toBe(origin.requestId);
    const command = await commandOf(accepted);
    expect(command).toMatchObject({
      ...{ input: 'hello', process: 'pipeline', sessionId, revision, agentId: 'main', ...OPTIONS },
      retryOf: origin.requestId,
    });
    expect(command).not.toHaveProperty('fork');
  });

  test('has the input of a workspace process, even one that the journal stores as a blob', async () => {
    const input = { text: 'x'.repeat(100_000) };
    const command = await commandOf(await retry((await ended(input, 'process/main.ts#ship')).requestId));
    expect(command).toMatchObject({ input, process: 'process/main.ts#ship', metadata: { ticket: 7 } });
  });

  test('from a stage shares the work before the preparation of that stage', async () => {
    const { requestId } = await ended();
    const accepted = await retry(requestId, { from: 'execute' });
    expect(await commandOf(accepted)).toMatchObject({ retryOf: requestId, fork: { requestId, at: 3 } });
    const refused = await retry(requestId, { from: 'evaluate' });
    expect([refused.status, refused.body.code]).toEqual([400, 'request_invalid']);
    expect(JSON.stringify(refused.body)).toContain(`stage evaluate did not run in request ${requestId}`);
    expect(JSON.stringify(refused.body)).toContain('Name one of: interview, execute.');
    expect((await retry(requestId, { from: 'deploy' })).status).toBe(400);
  });

  test('is idempotent by its key, and a key has one body', async () => {
    const { requestId } = await ended();
    const key = { 'idempotency-key': 'retry-1' };
    const [first, again] = [await retry(requestId, {}, key), await retry(requestId, {}, key)];
    expect(again.body.requestId).toBe(first.body.requestId);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = await retry(requestId, { from: 'execute' }, key);
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
  });

  test('is refused while the request has not ended, and for an unknown one', async () => {
    const { body } = await api.submit();
    const refused = await retry(body.requestId);
    expect([refused.status, refused.body.code]).toEqual([409, 'request_not_ended']);
    expect(refused.body.hint).toBe('Wait until it ends, or cancel it.');
    expect((await retry('nope')).status).toBe(404);
  });

  test('and the request name each other, in the request and in the list', async () => {
    const origin = await ended();
    const { body } = await retry(origin.requestId);
    const about = async (id: unknown) => (await api.get(`/requests/${id}`)).body;
    expect(await about(body.requestId)).toMatchObject({ status: 'accepted', retryOf: origin.requestId });
    await api.publishRun(body, 0, 1, undefined, { retryOf: String(origin.requestId) });
    expect(await about(body.requestId)).toMatchObject({ status: 'running', retryOf: origin.requestId });
    const log = new RunLog(api.bus, await Blobs.open(api.bus));
    for (const one of [origin, body]) {
      const run = { requestId: String(one.requestId), workspaceId: 'quickstart' };
      const { items, upTo } = await log.page(run, 0, 1_000);
      const position = { stream: 'EVENTS', generation: 1, seq: upTo };
      await writeBatch(
        api.db,
        items.map((message) => readLogMessage(message)),
        position,
      );
    }
    expect(await about(origin.requestId)).toMatchObject({ retriedBy: [body.requestId] });
    const { requests } = (await api.get('/requests?limit=100')).body as { requests: Record<string, unknown>[] };
    const listed = (id: unknown) => requests.find(({ requestId }) => requestId === id);
    expect(listed(body.requestId)).toMatchObject({ retryOf: origin.requestId });
    expect(listed(origin.requestId)).toMatchObject({ retriedBy: [body.requestId] });
  });
});
