import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startNats, type TestNats } from './nats.ts';

/** Returns the first line that a server sends to a client. */
async function greeting(port: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(port, '127.0.0.1');
  socket.once('data', (data) => resolve(data.toString()));
  socket.once('error', reject);
  return promise.finally(() => socket.destroy());
}

describe('a test NATS server', () => {
  let nats: TestNats;
  beforeAll(async () => {
    nats = await startNats();
  });
  afterAll(() => nats.stop());

  it('provides JetStream on its own port', async () => {
    expect(await greeting(nats.port)).toMatch(/^INFO \{.*"jetstream":true/);
    const other = await startNats();
    expect(other.port).not.toBe(nats.port);
    await other.stop();
  });

  it('restarts on the same port after a crash', async () => {
    await nats.kill();
    await expect(greeting(nats.port)).rejects.toThrow(/ECONNREFUSED/);
    await nats.restart();
    expect(await greeting(nats.port)).toMatch(/^INFO /);
  });

  it('reports the server output when it does not start', async () => {
    await expect(startNats({ config: 'no_such_setting: 1' })).rejects.toThrow(/no_such_setting/);
  });
});
