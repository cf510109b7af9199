import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startNats, type TestNats } from '@reins/testing';
import { until } from '../testing/fixture.ts';
import { connectBus } from './bus.ts';
import type { LinkState } from './link-state.ts';

/** A server that introduces itself as a NATS server of the given version. */
async function greeter(version: string): Promise<{ url: string; server: Server }> {
  const server = createServer((socket) => {
    const info = { server_id: 'x', version, headers: true, max_payload: 1_048_576, proto: 1, jetstream: true };
    socket.write(`INFO ${JSON.stringify(info)}\r\n`);
    socket.on('data', (data) => data.includes('PING') && socket.write('PONG\r\n'));
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { url: `nats://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`, server };
}

describe('connecting', () => {
  let nats: TestNats;
  beforeAll(async () => {
    nats = await startNats({ config: 'authorization { user: reins, password: s3cret-word }' });
  });
  afterAll(() => nats.stop());
  const auth = { user: 'reins', password: 's3cret-word' };

  it('rejects a server that is too old', async () => {
    const { url, server } = await greeter('2.11.9');
    await expect(connectBus({ servers: url, name: 'test' })).rejects.toMatchObject({
      code: 'bus_server_too_old',
      message: expect.stringContaining('2.11.9'),
    });
    server.close();
  });

  it('names the unreachable server without the credentials in its URL', async () => {
    const refused = connectBus({ servers: 'nats://me:hidden@word@127.0.0.1:1', name: 'test' });
    const error = await refused.catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'bus_unavailable', message: expect.stringContaining('127.0.0.1:1') });
    expect(String(error)).not.toMatch(/hidden|word/);
  });

  it('authenticates with the credentials of the settings, and does not reveal wrong ones', async () => {
    const bus = await connectBus({ servers: nats.url, name: 'test', auth });
    expect(bus.state).toBe('connected');
    await bus.close();
    const refused = connectBus({ servers: nats.url, name: 'test', auth: { ...auth, password: 'wrong-word' } });
    const error = await refused.catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'bus_unavailable' });
    expect(JSON.stringify(error) + String(error)).not.toContain('wrong-word');
  });

  it('reconnects automatically and reports the connection state', async () => {
    const bus = await connectBus({ servers: nats.url, name: 'test', auth });
    const states: LinkState[] = [];
    bus.onState((state) => states.push(state));
    await nats.kill();
    await until(() => bus.state === 'disconnected', 'the loss is noticed');
    await nats.restart();
    await until(() => bus.state === 'connected', 'the connection is back');
    await bus.close();
    expect(states).toEqual(['disconnected', 'connected', 'closed']);
  });

  it('closes while the server is unreachable', async () => {
    const bus = await connectBus({ servers: nats.url, name: 'test', auth });
    await nats.kill();
    await until(() => bus.state === 'disconnected', 'the loss is noticed');
    await bus.close();
    expect(bus.state).toBe('closed');
    await nats.restart();
  });
});
