#!/usr/bin/env node
const [major] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(`reins needs Node 24 or newer, and this is ${process.version}; \`npm start\` brings its own\n`);
  process.exit(2);
}
await import('../dist/main.js');
