import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Claims } from '@reins/bus';
import { listRunProcesses } from '@reins/harness';
import type { HostRequest } from '@reins/runtime-config';
import { type ScriptedModel, startScriptedModel } from '@reins/scripted-model';
import { identityOf } from '@reins/service-kit/folders';
import { until } from '@reins/testing';
import { capture } from '@reins/workspace-tree';
import { DEFAULT_SETTINGS, HostFixture } from './testing/host-fixture.ts';

const WORKSPACE = fileURLToPath(new URL('../testdata/workspace', import.meta.url));

/** How long the tool sleeps; shows its process in /proc. */
const SLEEP_S = `600.${process.pid}`;

let model: ScriptedModel;
let fixture: HostFixture;
/** Setups in a sandbox see no temporary files, so they wait for a response. */
let setupGate: Awaited<ReturnType<typeof startGate>>;
beforeEach(async () => {
  setupGate = await startGate();
  const command = `exec sleep ${SLEEP_S}`;
  model = await startScriptedModel({
    scenarios: { long: [{ tool: { name: 'bash', args: { command } } }, { text: 'Late.' }] },
  });
  fixture = await HostFixture.start();
  const baseUrl = `${model.url}/s/long/v1`;
  const providers = { scripted: { api: 'openai-completions', baseUrl, apiKey: 'sk-test-1234' } } as const;
  const host = { ...DEFAULT_SETTINGS.host, id: 'host-a', runtimes: ['openai_chat', 'pi'], secrets: ['API_TOKEN'] };
  await fixture.host({ providers, host }, { API_TOKEN: 'token' });
});
afterEach(async () => {
  setupGate.close();
  await fixture.stop();
  await model.close();
});

/** Requests a stage. Its application, if any, is set up when the gate opens. */
async function requestStage(runtimeId: string, applications: HostRequest['applications']) {
  const { treeId } = await fixture.trees.put(await capture(WORKSPACE));
  const request = {
    provider_id: 'scripted',
    model_id: 'scripted-model',
    model_client: {
      model_proxy_provider: 'openai_compatible',
      api_key: '{setting:providers.scripted.apiKey}',
      base_url: `${model.url}/s/long/v1`,
      default_headers: null,
    },
    applications,
    workspace_boundary_override: true,
  } as unknown as Partial<HostRequest>;
  return fixture.request({ instruction: 'Work.', runtimeId, tree: treeId, request });
}

/** A server that responds once it is opened. */
async function startGate() {
  const opened = Promise.withResolvers<void>();
  const server = createServer((_, response) => void opened.promise.then(() => response.end()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, open: opened.resolve, close };
}

const slowApplication = (): HostRequest['applications'][number] => ({
  app_id: 'counter',
  mcp: { transport: 'http-sse', port: 3099, path: '/mcp' },
  health_check: { target: 'mcp', path: '/mcp/health', timeout_s: 60, interval_s: 1 },
  env_contract: ['API_TOKEN'],
  start_command: '',
  base_dir: 'apps/counter',
  lifecycle: {
    setup: `exec ${process.execPath} -e "fetch('${setupGate.url}').then((response) => response.text())"`,
    start: `exec ${process.execPath} app.mjs`,
    stop: '',
  },
});

/** The processes of stages and their services, without warm executors. */
async function processesOfRuns(): Promise<readonly string[]> {
  const owner = await identityOf(process.pid);
  const processes = (await listRunProcesses()).filter(({ token }) => token.startsWith(owner));
  return processes.map(({ pid }) => String(pid));
}

/** How many processes of runs run the tool of the scripted model, and how many the application. */
async function running(): Promise<{ readonly tools: number; readonly applications: number }> {
  const processes = await listRunProcesses();
  const commands = await Promise.all(
    processes.map(({ pid }) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return {
    tools: commands.filter((command) => command.startsWith(`sleep\0${SLEEP_S}`)).length,
    applications: commands.filter((command) => command.startsWith(`${process.execPath}\0app.mjs`)).length,
  };
}

describe('an attempt', () => {
  test('reports its claim and the steps of a slow preparation, then its start', async () => {
    const { effectId } = await requestStage('openai_chat', [slowApplication()]);
    expect(await fixture.firstEvent(effectId, 'runtime.stage.claimed')).toMatchObject({ attempt: 1, hostId: 'host-a' });
    await until(() =>
      fixture.eventsOf('effect.progress', effectId).some(({ label }) => label?.startsWith('starting applications')),
    );
    expect(fixture.eventsOf('runtime.stage.started', effectId)).toEqual([]);
    setupGate.open();
    await fixture.firstEvent(effectId, 'runtime.stage.started');
    const types = fixture.eventTypes(effectId);
    expect(types.indexOf('runtime.stage.claimed')).toBeLessThan(types.indexOf('runtime.stage.started'));
  });

  test('that is fenced while it is prepared ends at once, with its setup, and never starts', async () => {
    const before = await processesOfRuns();
    const { effectId } = await requestStage('openai_chat', [slowApplication()]);
    await until(() =>
      fixture.eventsOf('effect.progress', effectId).some(({ label }) => label?.startsWith('starting applications')),
    );
    await until(async () => (await processesOfRuns()).length > before.length);
    const next = await claimLater(effectId);
    await until(async () => (await processesOfRuns()).length <= before.length);
    setupGate.open();
    await next.release();
    expect(fixture.eventTypes(effectId)).not.toContain('runtime.stage.started');
    expect(fixture.eventTypes(effectId)).not.toContain('runtime.stage.failed');
  });

  test('that is fenced while it runs ends at once, with its tools and applications, and publishes nothing more', async () => {
    setupGate.open();
    const { effectId } = await requestStage('pi', [slowApplication()]);
    await fixture.firstEvent(effectId, 'agent.tool.start');
    const { length } = fixture.allEvents(effectId);
    await until(async () => (await running()).tools > 0);
    expect((await running()).applications).toBeGreaterThan(0);
    const next = await claimLater(effectId);
    await until(async () => {
      const { applications, tools } = await running();
      return applications + tools === 0;
    });
    const other = await requestStage('openai_chat', []);
    await fixture.firstEvent(other.effectId, 'agent.handoff');
    expect(fixture.allEvents(effectId)).toHaveLength(length);
    await next.release();
  });
});

/** Claims the second attempt for another host, once the first one has a heartbeat. */
async function claimLater(effectId: string): Promise<{ release(): Promise<void> }> {
  const claims = await Claims.open(fixture.bus, { host: 'other' });
  const taken = await claims.take(effectId, 2);
  if (taken.outcome !== 'taken') throw new Error(taken.outcome);
  return taken.held;
}
