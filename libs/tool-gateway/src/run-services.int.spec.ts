import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Denial, MissingTools } from './index.ts';
import {
  call,
  clientOf,
  endAll,
  local,
  newContext,
  pairedServer,
  processes,
  ref,
  start,
} from './testing/services-fixture.ts';

afterEach(async () => expect(await endAll()).toEqual([]));

describe('the tools of a run', () => {
  test('are the listed tools of a server, or all tools when none is listed', async () => {
    const services = await start({
      mcp_servers: [local('named'), local('open')],
      mcp_tool_refs: [ref('named', 'echo')],
    });
    expect(services.unavailable).toEqual([]);
    const client = await clientOf(services);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    await client.close();
    expect(names.filter((name) => name.startsWith('mcp__named__'))).toEqual(['mcp__named__echo']);
    expect(names).toContain('mcp__open__delete_all');
    expect(services.toolIdOf('mcp__open__delete_all')).toBe('open.delete_all');
    expect(await call(services, 'mcp__named__echo', { text: 'hi' })).toEqual({ text: 'echo: hi', isError: false });
    expect(await call(services, 'mcp__named__delete_all')).toMatchObject({ isError: true });
    const policies = Object.fromEntries(services.tools.map(({ toolId, policy }) => [toolId, policy]));
    expect(policies).toMatchObject({ 'open.echo': 'inspect', 'open.delete_all': 'mutate' });
  });

  test('only read in an onboarding session', async () => {
    const { tools } = await start({ mcp_servers: [local('notes')], session_kind: 'onboarding' });
    expect(tools.map(({ toolName }) => toolName)).toEqual(['echo', 'read_note']);
  });

  test('require the token of the run', async () => {
    const services = await start({ mcp_servers: [local('a')] });
    await expect(clientOf(services, 'guessed')).rejects.toThrow();
    const response = await fetch(services.gateway?.url ?? '', { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
  });

  test('refuse calls with more than 8 MB', async () => {
    const services = await start({ mcp_servers: [local('a')] });
    const { url = '', token } = services.gateway ?? {};
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: '*/*' };
    const large = `{"jsonrpc":"2.0","id":1,"method":"ping","params":"${'x'.repeat(9 * 1024 * 1024)}"}`;
    const refused = await fetch(url, { method: 'POST', headers, body: large }).catch(() => undefined);
    // The gateway closes the connection, which the client may see before the response.
    expect([undefined, 413]).toContain(refused?.status);
    const chunks = new ReadableStream({
      start: (controller) => {
        controller.enqueue(Buffer.from(large));
        controller.close();
      },
    });
    const init = { method: 'POST', headers, body: chunks, duplex: 'half' } as RequestInit;
    expect([undefined, 400, 413]).toContain((await fetch(url, init).catch(() => undefined))?.status);
  });

  test('reject invalid arguments and calls without the required approval', async () => {
    const denied: Denial[] = [];
    const onDenied = (denial: Denial) => void denied.push(denial);
    const services = await start(
      { mcp_servers: [local('a'), local('b')], gated_tools: ['a.delete_all', 'b.*'] },
      { ...(await newContext()), onDenied },
    );
    expect(await call(services, 'mcp__a__echo', { text: 1 })).toMatchObject({
      isError: true,
      text: expect.stringContaining('text must be string'),
    });
    expect(await call(services, 'mcp__a__echo', { text: 'x', more: 1 })).toMatchObject({ isError: true });
    expect(await call(services, 'mcp__a__delete_all')).toMatchObject({
      isError: true,
      text: expect.stringContaining('approval'),
    });
    expect(await call(services, 'mcp__b__echo', { text: 'x' })).toMatchObject({ isError: true });
    expect(await call(services, 'mcp__a__delete_all')).toEqual({
      isError: true,
      text: "denied: 'a.delete_all' requires approval before each call, and none was given (tool_approval_required)",
    });
    expect(await call(services, 'bash')).toMatchObject({ text: expect.stringContaining('(tool_not_allowed)') });
    // Arguments are checked before the decision.
    expect((await call(services, 'mcp__b__echo', { text: 1 })).text).toContain('text must be string');
    expect(denied.map(({ toolId, policyId }) => [toolId, policyId])).toEqual([
      ['a.delete_all', 'gated_tools'],
      ['b.echo', 'gated_tools'],
      ['a.delete_all', 'gated_tools'],
      ['bash', 'capability_surface'],
    ]);
  });

  test('fail, hang and exit without affecting other servers', async () => {
    const services = await start({ mcp_servers: [local('a', 'well', { timeout: 6000 }), local('b')] });
    expect(await call(services, 'mcp__a__fail')).toEqual({ text: 'it went wrong', isError: true });
    expect(await call(services, 'mcp__a__wait')).toMatchObject({
      isError: true,
      text: expect.stringContaining('is unknown'),
    });
    expect(await call(services, 'mcp__a__die')).toMatchObject({ isError: true });
    expect(await call(services, 'mcp__b__echo', { text: 'x' })).toMatchObject({ isError: false });
    expect(services.unavailable).toMatchObject([{ serverId: 'a', reason: expect.stringContaining('exited (code 1)') }]);
  });
});

describe('servers that do not start', () => {
  test('are reported with their error, without its stack and host paths', async () => {
    const context = await newContext();
    await writeFile(join(context.workDir, 'clock.cjs'), "console.error('Clock 1.0');\nrequire('./gone/hands.cjs');\n");
    await writeFile(join(context.workDir, 'bell.mjs'), "import './gone/bell.mjs';\n");
    const services = await start(
      {
        mcp_servers: [
          local('clock', 'well', { command: [process.execPath, 'clock.cjs'] }),
          local('bell', 'well', { command: [process.execPath, join(context.workDir, 'bell.mjs')] }),
          local('absent', 'well', { command: [join(context.workDir, 'bin/absent')] }),
        ],
      },
      context,
    );
    expect(services.unavailable.map(({ reason }) => reason)).toEqual([
      "MCP server 'clock': exited (code 1): Error: Cannot find module './gone/hands.cjs'",
      "MCP server 'bell': exited (code 1): Error [ERR_MODULE_NOT_FOUND]: Cannot find module 'gone/bell.mjs' imported from bell.mjs",
      expect.stringMatching(/^MCP server 'absent': could not be started: .* bin\/absent .*ENOENT/),
    ]);
  });

  test('are reported with their missing tools and do not affect others', async () => {
    const quick = { timeout: 1200 };
    const services = await start({
      mcp_servers: [
        pairedServer('first', 'last'),
        local('hangs', 'hang', quick),
        local('raves', 'garbage', quick),
        local('endless', 'endless', quick),
        local('crashes', 'crash'),
        local('absent', 'well', { command: ['/nowhere/server'] }),
        {
          name: 'far',
          config: { type: 'remote', enabled: true, url: 'http://127.0.0.1:9/mcp', headers: {}, timeout: 1200 },
        },
        pairedServer('last', 'first'),
      ],
      required_servers: ['absent', 'b'],
      mcp_tool_refs: [ref('crashes', 'echo'), ref('first', 'echo'), ref('first', 'unheard_of')],
    });
    const byId = Object.fromEntries(services.unavailable.map((server) => [server.serverId, server]));
    expect(Object.keys(byId).sort()).toEqual(['absent', 'b', 'crashes', 'endless', 'far', 'first', 'hangs', 'raves']);
    expect(byId.crashes).toMatchObject({
      missingToolIds: ['crashes.echo'],
      required: false,
      reason: expect.stringContaining('the license file is missing'),
    });
    expect(services.unavailable.filter(({ required }) => required).map(({ serverId }) => serverId)).toEqual([
      'absent',
      'b',
    ]);
    expect(byId.absent?.reason).toContain('could not be started');
    expect(byId.hangs?.reason).toContain('it did not respond within 1200 ms (timeout_ms of the server)');
    expect(byId.first).toMatchObject({
      missingToolIds: ['first.unheard_of'],
      reason: expect.stringMatching(/^it does not offer first\.unheard_of; it offers: echo, delete_all, secret, /),
    });
    // `first` and `last` wait for each other, so this works only when they start concurrently.
    for (const name of ['first', 'last'])
      expect(await call(services, `mcp__${name}__echo`, { text: 'x' })).toMatchObject({ isError: false });
  });

  test('are polled until they have the requested tools', async () => {
    const services = await start({ mcp_servers: [local('late', 'late')], mcp_tool_refs: [ref('late', 'echo')] });
    expect(services.unavailable).toEqual([]);
    expect(await call(services, 'mcp__late__echo', { text: 'x' })).toMatchObject({ isError: false });
  });

  test('are polled for a missing tool once per run', async () => {
    const missingTools: MissingTools = new Map();
    const quick = { timeout: 5_000 };
    const absent = [ref('a', 'echo'), ref('a', 'unheard_of')];
    const context = await newContext();
    await start({ mcp_servers: [local('a', 'well', quick)], mcp_tool_refs: absent }, { ...context, missingTools });
    expect([...missingTools]).toEqual([['a', new Set(['unheard_of'])]]);
    // The server offers `echo` from its second listing on, which is not requested.
    const known: MissingTools = new Map([['b', new Set(['echo'])]]);
    const once = { mcp_servers: [local('b', 'second')], mcp_tool_refs: [ref('b', 'echo')] };
    const services = await start(once, { ...(await newContext()), missingTools: known });
    expect(services.unavailable).toMatchObject([{ serverId: 'b', missingToolIds: ['b.echo'] }]);
    expect((await start(once)).unavailable).toEqual([]);
  });

  test('leave no processes when the run is stopped while they start', async () => {
    const abort = new AbortController();
    const starting = start({ mcp_servers: [local('a'), local('hangs', 'hang')] }, undefined, abort.signal);
    setImmediate(() => abort.abort(new Error('stopped')));
    await expect(starting).rejects.toThrow('stopped');
  });

  test('are killed when they do not exit by themselves', async () => {
    const services = await start({ mcp_servers: [local('a', 'stubborn')] });
    await services.close();
    expect(services.unavailable).toEqual([]);
  });
});

describe('the environment of a server', () => {
  test('contains the given variables and none of the host', async () => {
    const environment = { CANARY: 'canary-12345' };
    const services = await start({ mcp_servers: [local('a', 'well', { environment }), local('b')] });
    expect((await call(services, 'mcp__a__secret')).text).toBe('the variable is canary-12345');
    expect((await call(services, 'mcp__b__secret')).text).toBe('the variable is not set');
    const commands = (await processes()).map(({ pid }) => readFile(`/proc/${pid}/cmdline`, 'utf8'));
    expect((await Promise.all(commands)).join()).not.toContain('canary');
  });

  test('has the tree of the stage as its working directory', async () => {
    const context = await newContext();
    await writeFile(join(context.workDir, 'note.txt'), 'from the tree');
    const services = await start({ mcp_servers: [local('a')] }, context);
    expect((await call(services, 'mcp__a__read_note')).text).toBe('from the tree');
    await call(services, 'mcp__a__write_note', { text: 'changed' });
    expect(await readFile(join(context.workDir, 'note.txt'), 'utf8')).toBe('changed');
  });
});
