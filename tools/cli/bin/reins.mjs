#!/usr/bin/env node
import nodeModule from 'node:module';

const [major] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(`reins needs Node 24 or newer, and this is ${process.version}; \`npm start\` brings its own\n`);
  process.exit(2);
}
// the same code is compiled once, and not by every command
nodeModule.enableCompileCache();
await import('../dist/main.js');
