import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { valuesSchema } from './values-schema.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The folder of the chart. */
export const CHART = join(ROOT, 'helm', 'reins');

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The files of the chart that follow from other files of the repository, by their path in the chart. */
export function chartFiles(): ReadonlyMap<string, string> {
  const schema = valuesSchema(JSON.parse(read('docs/settings.schema.json')));
  return new Map([
    ['values.schema.json', `${JSON.stringify(schema, null, 2)}\n`],
    // A chart can contain files of its own folder only.
    ['files/alerts.yaml', read('deploy/prometheus/alerts.yaml')],
    ['files/dashboard.json', read('deploy/grafana/reins.json')],
  ]);
}
