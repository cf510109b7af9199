import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { SERVICE_NAMES, Settings } from '@reins/service-kit';
import { parse } from 'yaml';
import { CHART, chartFiles } from './chart-files.ts';
import { settingsPart } from './settings-part.ts';

const read = (file: string): string => readFileSync(join(CHART, file), 'utf8');

test.each([...chartFiles()])('%s is current; `npm run generate:chart` writes it', (file, content) => {
  expect(read(file) === content).toBe(true);
});

test('the ports of the chart are those of the services', () => {
  const [, ports = ''] = /define "reins.ports" -\}\}([^{]*)/.exec(read('templates/_names.tpl')) ?? [];
  const { portBase } = new Settings().http;
  expect(parse(ports)).toEqual(Object.fromEntries(SERVICE_NAMES.map((name, index) => [name, portBase + index])));
});

test('the chart has the version of Reins', () => {
  const { version } = JSON.parse(readFileSync(join(CHART, '../../package.json'), 'utf8')) as { version: string };
  expect(parse(read('Chart.yaml'))).toMatchObject({ version, appVersion: version });
});

test('there is an image for each service, and one for the toolbox', () => {
  const text = readFileSync(join(CHART, '../../deploy/images/Dockerfile'), 'utf8');
  const images = [...text.matchAll(/^FROM base AS (\S+)\nCOPY --from=build \/out\/(\S+) \/app$/gm)];
  const services = SERVICE_NAMES.map((name) => [name, `services/${name}`]);
  expect(images.map(([, name, folder]) => [name, folder]).sort()).toEqual([...services, ['cli', 'tools/cli']].sort());
});

test('nothing in the chart is random', () => {
  const templates = readdirSync(join(CHART, 'templates'), { recursive: true, withFileTypes: true });
  const texts = templates.filter((entry) => entry.isFile()).map((entry) => read(join('templates', inTemplates(entry))));
  expect(texts.length).toBeGreaterThan(15);
  expect(texts.join('\n')).not.toMatch(/\b(rand\w+|uuidv4|now|gen(PrivateKey|CA|SelfSigned\w*|Signed\w*)|lookup)\b/);
});

const inTemplates = ({ parentPath, name }: { parentPath: string; name: string }): string =>
  join(parentPath, name).slice(join(CHART, 'templates').length + 1);

test('a pattern with a lookahead becomes its opposite, which Go can read', () => {
  const schema = { properties: { url: { type: 'string', pattern: '^(?!a)' }, id: { pattern: '^a$' } } };
  expect(settingsPart(schema)).toMatchObject({
    properties: { url: { type: 'string', not: { pattern: '^a' } }, id: { pattern: '^a$' } },
  });
});
