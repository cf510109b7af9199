import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openBucket } from '@reins/bus';
import { defined, type EventOf, type HarnessOffer, problemsOfEvent } from '@reins/contracts';
import { until } from '@reins/testing';
import { CANARY, PrepFixture } from './testing/prep-fixture.ts';

let prep: PrepFixture;
beforeAll(async () => {
  prep = await PrepFixture.start();
});
afterAll(async () => {
  await prep.stop();
});

describe('runner-prep', () => {
  test('stores the host request and its snapshot, with the stage’s marker, and no secret in either', async () => {
    const { answer, request, snapshot } = await prep.prepared({ input: { input: `List the files of ${CANARY}` } });
    expect(problemsOfEvent(answer)).toEqual([]);
    expect(request).toMatchObject({
      stage: 'execute',
      iteration: 1,
      runtime_id: 'pi',
      provider_id: 'local',
      model_id: 'm',
    });
    expect(request.instruction).toContain('Reins stage: execute\nReins iteration: 1');
    expect(request.system_prompt).toContain('Be kind.');
    expect(request.model_client.api_key).toBe('{setting:providers.local.apiKey}');
    expect(JSON.stringify(snapshot)).not.toContain(CANARY);
  });

  test('measures every step by name and in order', async () => {
    const { answer } = await prep.prepared();
    const steps = Object.keys(answer.timings);
    const contexts = steps.filter((step) => step.endsWith('_context'));
    expect(contexts.sort()).toEqual([
      'load_current_user_context',
      'load_evolve_candidate_context',
      'load_operator_surface_context',
      'load_pending_user_memory_context',
      'load_recalled_memory_context',
      'load_recent_runtime_context',
      'load_scratchpad_context',
      'load_session_resume_context',
    ]);
    expect(steps.filter((step) => !contexts.includes(step))).toEqual([
      'load_runtime_plan',
      'open_workspace_tree',
      'stage_browser_tools',
      'stage_runtime_tools',
      'resolve_workspace_skills',
      'stage_workspace_commands',
      'resolve_output_schema',
      'read_attachments',
      'lay_out_files',
      'map_mcp_servers',
      'resolve_model',
      'project_runtime_config',
      'build_harness_host_request',
      'sanitize_turn_request',
      'persist_turn_request_snapshot',
    ]);
    expect(Object.values(answer.timings).every((ms) => ms >= 0)).toBe(true);
  });

  test('equal requests have equal fingerprints', async () => {
    const [one, other] = [await prep.prepared(), await prep.prepared()];
    expect(one.answer.fingerprint).toBe(other.answer.fingerprint);
  });

  test('includes the results of earlier stages', async () => {
    const context = {
      interview: 'the brief says hello',
      verdict: { outcome: 'fail', reasons: ['too short'] },
      reflection: 'write more',
    };
    const text = JSON.stringify((await prep.prepared({ iteration: 2, context })).request);
    for (const part of ['the brief says hello', 'too short', 'write more']) expect(text).toContain(part);
  });

  test('answers a request that cannot be prepared with the reason', async () => {
    const answer = (await prep.ask({ input: { input: '' } })) as EventOf<'runtime.prepare.failed'>;
    expect(answer).toMatchObject({
      type: 'runtime.prepare.failed',
      error: { code: 'host_request_invalid', path: 'instruction' },
    });
  });

  test('rejects an unknown variable with its server and path', async () => {
    const servers = '{gh: {type: remote, url: "https://gh.example/mcp", headers: {Key: "Bearer {env:NOPE}"}}}';
    expect(await prep.ask({}, { servers })).toMatchObject({
      type: 'runtime.prepare.failed',
      error: {
        code: 'mcp_environment_missing',
        path: 'mcp_registry.servers.gh.headers.Key',
        message: expect.stringContaining("'NOPE'"),
      },
    });
  });

  test('reports all problems of a stage in one error', async () => {
    const servers =
      '{gh: {type: remote, url: "https://gh.example/mcp", headers: {Key: "{env:NOPE}", Other: "{env:}"}}}';
    const answer = (await prep.ask({}, { servers })) as EventOf<'runtime.prepare.failed'>;
    expect(answer.error.message).toContain('(and 1 more)');
    expect(answer.problems?.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'mcp_environment_missing mcp_registry.servers.gh.headers.Key',
      'mcp_placeholder_invalid mcp_registry.servers.gh.headers.Other',
    ]);
  });

  test('reports the source of the model, and passes on an unknown thinking value with a warning', async () => {
    const input = { input: 'x', model: 'local/other', thinkingValue: 'very hard' };
    const { answer, request } = await prep.prepared({ input });
    expect(answer.modelSource).toBe('request');
    expect((await prep.prepared()).answer.modelSource).toBe('agent');
    expect(answer.warnings).toMatchObject([{ severity: 'warning', code: 'thinking_value_unknown' }]);
    expect(request).toMatchObject({ thinking_value: 'very hard', model_id: 'other' });
    expect(JSON.stringify(request.model_client)).not.toContain('very hard');
  });

  test('warns about a runtime profile that is ignored', async () => {
    const rest = 'runtime_profile: {stages: {execute: codex}}\n';
    const { answer } = await prep.prepared({}, { rest });
    expect(answer.warnings).toMatchObject([
      {
        code: 'runtime_profile_ignored',
        path: 'runtime_profile.stages.execute',
        hint: expect.stringContaining('workspaceMayUse'),
      },
    ]);
    const asWanted = await prep.prepared({ runtimeId: 'codex' }, { rest });
    expect(asWanted.answer.warnings).toEqual([]);
  });

  test('warns about a model that no host of the runtime has in its list', async () => {
    const bucket = await openBucket<HarnessOffer>(prep.bus, 'harnesses');
    const providers = [{ providerId: 'local', status: 'ok' as const, models: ['listed'] }];
    const offer = {
      runtimeId: 'listing',
      hostId: 'h1',
      version: '1',
      healthy: true,
      slots: 1,
      capabilities: ['model'],
    };
    await bucket.put('h1.listing', { ...offer, providers });
    const warned = async (model: string) => {
      const { answer } = await prep.prepared({ runtimeId: 'listing', input: { input: 'x', model } });
      return answer.warnings?.map(({ code, message }) => `${code}: ${message}`);
    };
    await until(async () => (await warned('local/other'))?.length === 1);
    expect(await warned('local/other')).toEqual(['model_unlisted: provider local does not list the model other']);
    expect(await warned('local/listed')).toEqual([]);
  });

  test('refuses a model whose provider is not configured, unless the hosts find that the first provider has it', async () => {
    const asked = (model: string) => prep.ask({ runtimeId: 'gateway', input: { input: 'x', model } });
    expect(await asked('loca/fake')).toMatchObject({
      type: 'runtime.prepare.failed',
      error: {
        code: 'model_provider_unconfigured',
        message: expect.stringContaining("the provider 'loca' of the model 'loca/fake' is not configured"),
        path: 'model',
        hint: 'Did you mean local/fake?',
      },
    });
    const providers = [{ providerId: 'local', status: 'ok' as const, models: ['team/fake'] }];
    const offer = { runtimeId: 'gateway', hostId: 'h1', version: '1', healthy: true, slots: 1 };
    const bucket = await openBucket<HarnessOffer>(prep.bus, 'harnesses');
    await bucket.put('h1.gateway', { ...offer, capabilities: ['model'], providers });
    const prepared = await until(async () => {
      const answer = await asked('team/fake');
      return answer.type === 'runtime.prepare.completed' ? answer : undefined;
    });
    expect(prepared).toMatchObject({ modelSource: 'request', warnings: [] });
  });

  test('refuses a model of the request without a known price if the workspace limits the cost', async () => {
    const rest = 'budgets: { max_cost_usd: 2 }\n';
    const bucket = await openBucket<HarnessOffer>(prep.bus, 'harnesses');
    const offer = { runtimeId: 'free', hostId: 'h1', version: '1', healthy: true, slots: 1, capabilities: ['skills'] };
    await bucket.put('h1.free', offer);
    const asked = (runtimeId: string, model?: string) =>
      prep.ask({ runtimeId, input: { input: 'x', ...defined({ model }) } }, { rest });
    expect(await asked('pi', 'local/other')).toMatchObject({
      type: 'runtime.prepare.failed',
      error: {
        code: 'budget_exceeded',
        message: "the limit of 2 US dollars cannot be evaluated: the price of the model 'local/other' is unknown",
        path: 'budgets.max_cost_usd',
      },
    });
    expect(await asked('pi')).toMatchObject({ type: 'runtime.prepare.completed' });
    await until(async () => (await asked('free', 'local/other')).type === 'runtime.prepare.completed');
  });

  test('reads the output schema through its alias, and warns about an invalid one', async () => {
    const aliased = {
      agent: ', schema_id: Note',
      rest: 'schema_registry: {aliases: {Note: schemas/note.json}}\n',
    };
    const schema = { type: 'object', required: ['title'] };
    const tree = await prep.tree({ 'schemas/note.json': JSON.stringify(schema) });
    const { request } = await prep.prepared({ tree }, aliased);
    expect(request.output_format).toEqual({ type: 'json_schema', schema, retryCount: 2 });
    const broken = await prep.tree({ 'schemas/note.json': '[1]' });
    const { answer } = await prep.prepared({ tree: broken }, aliased);
    expect(answer.warnings?.map(({ code }) => code)).toContain('output_schema_invalid');
    const module = await prep.prepared({ tree }, { agent: ', schema_module_path: schemas/note.ts' });
    expect(module.request).toMatchObject({ output_format: null, output_schema_module: 'schemas/note.ts' });
  });
});
