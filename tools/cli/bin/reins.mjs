#!/usr/bin/env node
import nodeModule from 'node:module';

const [major] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(`reins needs Node 24 or newer (got ${process.version}); \`npm start\` uses its own Node 24\n`);
  process.exit(2);
}
// Reuses compiled code across commands.
nodeModule.enableCompileCache();
await import('../dist/main.js');
