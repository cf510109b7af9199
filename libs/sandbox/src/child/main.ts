import { lockDown } from './lock-down.ts';
import { Session } from './session.ts';
import { listen, send } from './transport.ts';

/**
 * The child that runs the process of one run. `pool/spawn.ts` starts it behind a wall of the operating system, with the permission model
 * of Node.js. The language is locked down here, before authored code is loaded.
 */
const { exit } = process;
process.on('unhandledRejection', () => undefined); // Processes outside of a sandbox ignore them as well.
process.on('uncaughtException', (error) => {
  send({ type: 'crashed', message: error instanceof Error ? error.message : String(error) });
  exit(1);
});

const session = new Session(send);
lockDown((text) => send({ type: 'console', text }));
send({ type: 'ready' });
listen((message) => session.receive(message));
