import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { TestGateway } from '../testing/test-gateway.ts';

interface OpenApi {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, { responses: Record<string, unknown>; security?: unknown[] }>>;
  readonly components: { readonly schemas: Record<string, unknown> };
}

let api: TestGateway;
let document: OpenApi;
beforeAll(async () => {
  api = await TestGateway.start();
  document = (await (await fetch(`${api.service.url}/api/openapi.json`)).json()) as OpenApi;
});
afterAll(() => api.stop());

test('the document is OpenAPI 3.1 and lists every call', () => {
  expect(document.openapi).toBe('3.1.0');
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(calls.sort()).toEqual([
    'delete /v1/responses/{id}',
    'get /api/v1/agent-processes',
    'get /api/v1/blobs/{sha256}',
    'get /api/v1/harnesses',
    'get /api/v1/memory/namespaces',
    'get /api/v1/memory/records',
    'get /api/v1/memory/records/{id}',
    'get /api/v1/memory/records/{id}/history',
    'get /api/v1/requests',
    'get /api/v1/requests/{id}',
    'get /api/v1/requests/{id}/changes',
    'get /api/v1/requests/{id}/dead-letters',
    'get /api/v1/requests/{id}/directives',
    'get /api/v1/requests/{id}/events',
    'get /api/v1/requests/{id}/memory',
    'get /api/v1/requests/{id}/tasks',
    'get /api/v1/requests/{id}/tree',
    'get /api/v1/trees/{tree}',
    'get /api/v1/trees/{tree}/content',
    'get /healthz',
    'get /metrics',
    'get /readyz',
    'get /v1/capabilities',
    'get /v1/models',
    'get /v1/models/{model}',
    'get /v1/models/{workspace}/{agent}',
    'get /v1/responses/{id}',
    'get /v1/responses/{id}/input_items',
    'post /api/v1/attachments',
    'post /api/v1/blobs',
    'post /api/v1/memory/rebuild',
    'post /api/v1/memory/recall',
    'post /api/v1/memory/records',
    'post /api/v1/memory/records/{id}/edit',
    'post /api/v1/memory/records/{id}/forget',
    'post /api/v1/memory/records/{id}/rate',
    'post /api/v1/memory/verify',
    'post /api/v1/requests',
    'post /api/v1/requests/{id}/answers',
    'post /api/v1/requests/{id}/approvals/{approvalId}',
    'post /api/v1/requests/{id}/cancel',
    'post /api/v1/requests/{id}/effects/{effectId}/invalidate',
    'post /api/v1/requests/{id}/halt',
    'post /api/v1/requests/{id}/pause',
    'post /api/v1/requests/{id}/process',
    'post /api/v1/requests/{id}/resume',
    'post /api/v1/requests/{id}/retry',
    'post /api/v1/requests/{id}/signals',
    'post /api/v1/requests/{id}/tasks/{effectId}/answer',
    'post /api/v1/requests/{id}/tasks/{effectId}/cancel',
    'post /api/v1/requests/{id}/unpark',
    'post /api/v1/workspaces',
    'post /v1/chat/completions',
    'post /v1/responses',
    'post /v1/responses/{id}/cancel',
  ]);
});

test('docs/openapi.json is the document of the running gateway; run npm run generate:openapi otherwise', () => {
  const committed = readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8');
  expect(JSON.parse(committed)).toEqual(document);
});

test('Swagger UI is served with its files, needs no key, and loads nothing from elsewhere', async () => {
  const page = await fetch(`${api.service.url}/api/docs`);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
  const links = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link);
  expect(links).toHaveLength(4);
  for (const link of links) {
    const file = await fetch(new URL(link, page.url));
    expect({ link, status: file.status, size: (await file.arrayBuffer()).byteLength > 50 }).toEqual({
      link,
      status: 200,
      size: true,
    });
  }
});

test('every reference in the document resolves', () => {
  const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name ?? '',
  );
  expect(references.length).toBeGreaterThan(10);
  expect(references.filter((name) => !(name in document.components.schemas))).toEqual([]);
});

test('every API call needs a key and documents its problems', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    if (!/^\/(?:api\/)?v1\//.test(path)) continue;
    for (const { responses, security } of Object.values(methods)) {
      expect(security).toEqual([{ bearer: [] }]);
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '401', '429', '503']));
    }
  }
});

/** Disabled rules: the server URL depends on the installation, and health endpoints have no 4xx response. */
const LINT_RULES = {
  'no-empty-servers': 'off',
  'no-server-example.com': 'off',
  'operation-4xx-response': 'off',
} as const;

test('the document passes the recommended rules of Redocly', async () => {
  const config = await createConfig({ extends: ['recommended'], rules: LINT_RULES });
  const found = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config });
  expect(found.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`)).toEqual(
    [],
  );
});
