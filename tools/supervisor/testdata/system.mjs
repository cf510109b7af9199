import { startSystem } from '../src/system.ts';

// Starts the system that a test describes, tells its processes, and waits to be killed.
const { dir, services, topology } = JSON.parse(process.argv[2]);
const system = await startSystem({ dir, services, topology, env: process.env, log: (line) => console.error(line) });
console.log(JSON.stringify(system.status().map(({ pid }) => pid)));
setInterval(() => {}, 60_000);
