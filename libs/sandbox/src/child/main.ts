import { lockDown } from './lock-down.ts';
import { Session } from './session.ts';
import { listen, send } from './transport.ts';

/**
 * The entry point of a child, which runs the process of one run. `pool/spawn.ts` starts it in the operating-system
 * sandbox, with the permission model of Node.js. The language is locked down here, before authored code is loaded.
 */
const { exit } = process;
process.on('unhandledRejection', () => undefined); // Ignored, as for processes that run without a sandbox.
process.on('uncaughtException', (error) => {
  send({ type: 'crashed', message: error instanceof Error ? error.message : String(error) });
  exit(1);
});

const session = new Session(send);
lockDown((text) => send({ type: 'console', text }));
send({ type: 'ready' });
listen((message) => session.receive(message));
