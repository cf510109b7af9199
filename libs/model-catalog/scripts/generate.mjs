/**
 * Writes src/generated/models.ts from the model data of the npm package `@earendil-works/pi-ai` (MIT). Run `node
 * libs/model-catalog/scripts/generate.mjs` after the version of that package changes. A test fails when the file is out
 * of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { catalogueSource } from './catalogue-source.mjs';

const packageRoot = new URL('../', import.meta.resolve('@earendil-works/pi-ai'));
const read = (path) => JSON.parse(readFileSync(new URL(path, packageRoot), 'utf8'));
writeFileSync(new URL('../src/generated/models.ts', import.meta.url), catalogueSource(read));
