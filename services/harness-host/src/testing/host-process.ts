import { connectBus, silentLog } from '@reins/bus';
import { HarnessHost } from '../harness-host.ts';

/** A host as a process of its own, so that a test can kill it: `node host-process.ts <nats url> <settings as JSON>`. */
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
