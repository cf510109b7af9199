import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { launchBehind, type Wall } from '../index.ts';

/** Owns a child that never ends: a program for tests to kill. It prints the child's id, and what the child read from its descriptors. */
const [, , wall = '', folder = '/'] = process.argv;
const child = launchBehind(JSON.parse(wall) as Wall, {
  command: process.execPath,
  readable: [folder],
  args: [
    '-e',
    `const fs = require('fs'); const seen = [];
     for (let fd = 3; fd < 20; fd += 1) { try { const bytes = Buffer.alloc(5); fs.readSync(fd, bytes, 0, 5, 0); seen.push(String(bytes)); } catch {} }
     fs.writeSync(1, JSON.stringify(seen)); for (;;);`,
  ],
});
const [said] = (await once(child.stdout as Readable, 'data')) as [Buffer];
process.stdout.write(JSON.stringify({ pid: child.pid, descriptors: JSON.parse(String(said)) }));
