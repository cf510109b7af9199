import { beforeAll, expect, test } from '@jest/globals';
import { KUBERNETES_VERSIONS } from '@reins/setup/chart-tools';
import { helm, kubeconform, renderText } from './testing/helm.ts';
import { VARIANTS } from './testing/variants.ts';

/** The different objects that the variants install, as one stream of documents. */
let manifests = '';

beforeAll(async () => {
  const texts: string[] = [];
  for (const variant of Object.values(VARIANTS)) texts.push(await renderText(variant));
  manifests = [...new Set(texts.flatMap((text) => text.split(/^---\n/m)))].join('---\n');
});

test.each(Object.keys(VARIANTS))('helm lint finds no problem: %s', async (name) => {
  const { code, output } = await helm('lint', VARIANTS[name]);
  expect(output.match(/\[(WARNING|ERROR)\].*/g)).toBeNull();
  expect(code).toBe(0);
});

test.each(KUBERNETES_VERSIONS)('Kubernetes %s accepts every object of every variant', async (version) => {
  expect(await kubeconform(version, manifests)).toMatch(
    /^Summary: [1-9]\d+ resources found parsing stdin - Valid: [1-9]\d+, Invalid: 0, Errors: 0, Skipped: 4$/,
  );
});

test('an unknown field is refused', async () => {
  const text = await renderText({ values: { hostPools: [{ name: 'a', runtimes: ['pi'] }] } });
  const printed = await kubeconform('1.35.0', text.replaceAll('readOnlyRootFilesystem:', 'readOnlyRoot:'));
  expect(printed).toContain("additional properties 'readOnlyRoot' not allowed");
});

test('the same values give the same objects, byte by byte', async () => {
  expect(await renderText(VARIANTS.production)).toBe(await renderText(VARIANTS.production));
});
