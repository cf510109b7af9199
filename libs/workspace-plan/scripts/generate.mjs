/**
 * Generates the tables of docs/workspace.md and the JSON Schemas for editors from the shapes. Run `node
 * libs/workspace-plan/scripts/generate.mjs` after a build. A test fails when the generated files are out of date.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { publishedFiles } from '../dist/publish/files.js';

const root = new URL('../../../', import.meta.url);
const docs = new URL('docs/', root);
const files = publishedFiles((file) => readFileSync(new URL(file, docs), 'utf8'));
for (const [name, text] of Object.entries(files)) writeFileSync(new URL(name, docs), text);
const schemas = Object.keys(files).filter((name) => name.endsWith('.json'));
execFileSync(
  fileURLToPath(new URL('node_modules/.bin/biome', root)),
  ['format', '--write', ...schemas.map((name) => fileURLToPath(new URL(name, docs)))],
  { stdio: 'inherit' },
);
