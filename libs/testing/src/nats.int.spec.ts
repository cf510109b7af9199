import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startNats, type TestNats } from './nats.ts';

/** What a server says first to whoever connects. */
async function greeting(port: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(port, '127.0.0.1');
  socket.once('data', (data) => resolve(data.toString()));
  socket.once('error', reject);
  return promise.finally(() => socket.destroy());
}

describe('the NATS server of a test', () => {
  let nats: TestNats;
  beforeAll(async () => {
    nats = await startNats();
  });
  afterAll(() => nats.stop());

  it('offers JetStream on a port of its own', async () => {
    expect(await greeting(nats.port)).toMatch(/^INFO \{.*"jetstream":true/);
    const other = await startNats();
    expect(other.port).not.toBe(nats.port);
    await other.stop();
  });

  it('comes back on the same port after a crash', async () => {
    await nats.kill();
    await expect(greeting(nats.port)).rejects.toThrow(/ECONNREFUSED/);
    await nats.restart();
    expect(await greeting(nats.port)).toMatch(/^INFO /);
  });

  it('says what the server said when it does not start', async () => {
    await expect(startNats({ config: 'no_such_setting: 1' })).rejects.toThrow(/no_such_setting/);
  });
});
