import { lockDown } from './lock-down.ts';
import { Session } from './session.ts';
import { listen, send } from './transport.ts';

/**
 * The child that runs the process of one run. It is started with the permission model on (`pool/spawn.ts`); what that leaves open is
 * closed here, before anything of the process is loaded.
 */
const { exit } = process;
process.on('unhandledRejection', () => undefined); // As in a process of ours: nobody asked for that promise.
process.on('uncaughtException', (error) => {
  send({ type: 'crashed', message: error instanceof Error ? error.message : String(error) });
  exit(1);
});

const session = new Session(send);
lockDown((text) => send({ type: 'console', text }));
send({ type: 'ready' });
listen((message) => session.receive(message));
