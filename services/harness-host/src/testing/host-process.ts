import { connectBus, silentLog } from '@reins/bus';
import { HarnessHost } from '../harness-host.ts';

/** Runs a host in a separate process that tests can kill: `node host-process.ts <nats url> <settings as JSON>`. */
const [, , servers = '', settings = '{}'] = process.argv;
const bus = await connectBus({ servers, name: 'host' });
await HarnessHost.start({
  bus,
  settings: JSON.parse(settings),
  environment: process.env,
  log: silentLog,
  shutDownWithError: () => process.exit(1),
});
process.send?.('up');
