/** Writes docs/settings.schema.json: run `node libs/service-kit/scripts/generate.mjs` after a build. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { settingsJsonSchema } from '../dist/settings/settings-schema.js';

const root = new URL('../../../', import.meta.url);
const schema = fileURLToPath(new URL('docs/settings.schema.json', root));
const text = JSON.stringify(settingsJsonSchema(readFileSync(new URL('docs/settings.md', root), 'utf8')), null, 2);
writeFileSync(schema, `${text}\n`);
execFileSync(fileURLToPath(new URL('node_modules/.bin/biome', root)), ['format', '--write', schema], {
  stdio: 'inherit',
});
