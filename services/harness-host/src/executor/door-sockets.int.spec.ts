import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { DoorSockets } from './door-sockets.ts';

const opened: DoorSockets[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((sockets) => sockets.close()));
});

async function newSockets(): Promise<DoorSockets> {
  const sockets = await DoorSockets.create();
  opened.push(sockets);
  return sockets;
}

/** Whether a connection stays open until it has the greeting of the server. */
async function isServed(path: string): Promise<Socket | undefined> {
  const client = connect(path).on('error', () => undefined);
  const served = await Promise.race([once(client, 'data').then(() => true), once(client, 'close').then(() => false)]);
  return served ? client : undefined;
}

test('a run has at most 64 connections to a door, and other runs have their own', async () => {
  const sockets = await newSockets();
  const greet = (client: Socket): void => void client.write('hello');
  const [one, other] = [await sockets.open(greet), await sockets.open(greet)];
  const clients = await Promise.all(Array.from({ length: 200 }, () => isServed(one.path)));
  expect(clients.filter((client) => client !== undefined)).toHaveLength(64);
  const third = await isServed(other.path);
  expect(third).toBeDefined();
  for (const client of [...clients, third]) client?.destroy();
  one.close();
  other.close();
});

test('the end of a run ends its connections', async () => {
  const sockets = await newSockets();
  const socket = await sockets.open((client) => void client.write('hello'));
  const client = await isServed(socket.path);
  const closed = once(client as Socket, 'close');
  socket.close();
  await closed;
});
