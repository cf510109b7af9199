#!/usr/bin/env node
import { existsSync } from 'node:fs';
import nodeModule from 'node:module';

const [major] = process.versions.node.split('.').map(Number);
if (major < 24) {
  const ownNode = new URL('../../../node_modules/.bin/node', import.meta.url);
  const how = existsSync(ownNode)
    ? 'run `npx reins`, which uses the Node 24 of node_modules'
    : 'put Node 24 on the PATH';
  process.stderr.write(`reins needs Node 24 or newer (got ${process.version}); ${how}\n`);
  process.exit(2);
}
// Reuses compiled code across commands.
nodeModule.enableCompileCache();
await import('../dist/main.js');
