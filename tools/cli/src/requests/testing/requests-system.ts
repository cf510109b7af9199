import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Appender, Blobs, type Bus, connectBus, provision } from '@reins/bus';
import { type JsonValue, journalSubject } from '@reins/contracts';
import { type BuiltInProcess, definitionFor, processOf } from '@reins/control-bus/core';
import { type JournalStore, streamJournalStore } from '@reins/journal';
import { journalPort } from '@reins/journal/bus';
import { LocalRun } from '@reins/replay';
import { startNats, type TestNats, tempDir } from '@reins/testing';
import { runProgram } from '../../program.ts';

const PARTITIONS = 2;
const LIMITS = { startWithinMs: 1000, runForMs: 1000, maxAttempts: 1, onUnknown: 'fail' } as const;

/** The revision of an uploaded folder. */
export const UPLOADED = 'c'.repeat(64);

/** A call that the gateway received. */
export interface GatewayCall {
  readonly path: string;
  readonly body: { readonly process: string; readonly inputs?: JsonValue };
}

export interface GatewayResponse {
  readonly status?: number;
  readonly body: JsonValue;
}

/** Request journals on a real bus, the CLI, and a fake gateway that records its calls. */
export class RequestsSystem {
  readonly calls: GatewayCall[] = [];
  /** Runs for each call before the response. */
  onCall: (call: GatewayCall, idempotencyKey: string) => Promise<unknown> = async () => {};
  /** Returns the response of a GET request. */
  onGet: (path: string) => GatewayResponse = () => ({ body: {} });

  private constructor(
    readonly folder: string,
    private readonly nats: TestNats,
    readonly bus: Bus,
    private readonly appender: Appender,
    readonly journals: JournalStore,
    private readonly gateway: Server,
  ) {}

  static async start(): Promise<RequestsSystem> {
    const nats = await startNats();
    const bus = await connectBus({ servers: nats.url, name: 'test' });
    await provision(bus, { managed: 'self', partitions: PARTITIONS, replicas: 1, runtimeIds: [] });
    const appender = new Appender(bus, { stream: 'JOURNAL' });
    const journals = streamJournalStore(journalPort(bus, appender, await Blobs.open(bus)), { partitions: PARTITIONS });
    const gateway = createServer(async (request, response) => {
      const path = String(request.url);
      if (request.method === 'GET') {
        const { status, body } = system.onGet(path);
        return response.writeHead(status ?? 200).end(JSON.stringify(body));
      }
      const call = { path, body: JSON.parse(await text(request)) };
      system.calls.push(call);
      // As in the gateway, the stored key differs from the key of the call.
      const idempotencyKey = `command.${request.headers['idempotency-key']}`;
      await system.onCall(call, idempotencyKey);
      return response
        .writeHead(202)
        .end(JSON.stringify({ requestId: 'r', status: 'done', idempotencyKey, revision: UPLOADED }));
    });
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
    const system = new RequestsSystem(await tempDir('requests'), nats, bus, appender, journals, gateway);
    return system;
  }

  async stop(): Promise<void> {
    rmSync(this.folder, { recursive: true, force: true });
    this.gateway.close();
    await this.appender.close();
    await this.bus.close();
    await this.nats.stop();
  }

  /** Writes the journal of a request, in place of the owner of the run. */
  record(runId: string, process: string, input: JsonValue, built: BuiltInProcess = processOf(process)) {
    const definition = definitionFor(built, { agentId: 'main', revision: 'a'.repeat(64), session: {} });
    const profile = { default: 'pi', stages: {} };
    const limits = { service: LIMITS, stage: LIMITS };
    const inputs = { input, attachments: [], metadata: {}, stages: {}, profile, limits };
    const run = { workspaceId: 'ws', runId };
    const begin = { inputs: inputs as unknown as JsonValue };
    return LocalRun.create({ store: this.journals, run, definition }, begin);
  }

  /** The subject of the journal of a request. */
  readonly subjectOf = (runId: string): string => journalSubject({ workspaceId: 'ws', runId }, PARTITIONS);

  /** Runs a command and returns its JSON output. */
  async reins(...args: string[]) {
    const { exit, out } = await this.reinsText(...args, '--json');
    return { exit, json: JSON.parse(out) };
  }

  /** Runs a command and returns its output for people. */
  async reinsText(...args: string[]) {
    let out = '';
    const env = {
      REINS_NATS_URL: this.nats.url,
      REINS_NATS_PARTITIONS: String(PARTITIONS),
      REINS_STATE_DIR: '/nonexistent',
      REINS_URL: `http://127.0.0.1:${(this.gateway.address() as AddressInfo).port}`,
      BABYSITTER_RUNS_DIR: join(this.folder, 'runs'),
    };
    const exit = await runProgram(args, {
      env,
      out: (more) => {
        out += more;
      },
      err: () => {},
    });
    return { exit, out };
  }
}
