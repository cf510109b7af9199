/** A model door in a process of its own, as in a host: sends the endpoints of its runs. The argument is the provider. */
import { ModelDoor } from '../../src/doors/model/model-door.ts';

const RUNS = 10;

const door = await ModelDoor.start();
const grant = {
  endpoint: { api: 'openai-completions', baseUrl: process.argv[2] ?? '', apiKey: 'sk-provider' },
  named: { provider: 'bench', model: 'm' },
} as const;
process.send?.(Array.from({ length: RUNS }, () => door.open(grant).endpoint));
process.on('message', () => process.send?.(process.cpuUsage()));
process.once('disconnect', () => process.exit());
