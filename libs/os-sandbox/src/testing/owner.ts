import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { type Isolation, launchIsolated } from '../index.ts';

/**
 * A program that owns a child which never ends. Tests kill it. It prints the child's pid and the bytes that the child
 * read from inherited descriptors.
 */
const [, , isolation = '', folder = '/'] = process.argv;
const child = launchIsolated(JSON.parse(isolation) as Isolation, {
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
