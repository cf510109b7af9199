import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHART, chartFiles } from './chart-files.ts';

/** `npm run generate:chart`: writes the generated files of the chart. */
for (const [file, content] of chartFiles()) writeFileSync(join(CHART, file), content);
