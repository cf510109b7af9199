/** Writes docs/openapi.json from a running gateway: `npm run generate:openapi`. */
import { writeFileSync } from 'node:fs';
import { TestGateway } from './test-gateway.ts';

const api = await TestGateway.start();
try {
  const document: unknown = await (await fetch(`${api.service.url}/api/openapi.json`)).json();
  writeFileSync(new URL('../../../../docs/openapi.json', import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
} finally {
  await api.stop();
}
