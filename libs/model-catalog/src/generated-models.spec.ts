import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

test('the generated models are those of the installed version of the source', async () => {
  const { catalogueSource } = (await import(new URL('../scripts/catalogue-source.mjs', import.meta.url).href)) as {
    catalogueSource: (read: (path: string) => unknown) => string;
  };
  const packageRoot = new URL('../', import.meta.resolve('@earendil-works/pi-ai'));
  const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, packageRoot), 'utf8'));
  const generated = readFileSync(new URL('./generated/models.ts', import.meta.url), 'utf8');
  expect(generated).toBe(catalogueSource(read));
});
