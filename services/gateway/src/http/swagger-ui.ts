import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';

const PATH = '/api/docs';
/** The files of swagger-ui-dist that the page needs, and their media types. */
const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};
/** The page loads nothing from other hosts. Swagger UI sets styles inline and has icons as data URLs. */
const POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

/** Links are relative, so that the page also works behind a proxy with a path prefix. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Reins API</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({ url: new URL('openapi.json', document.baseURI).href, dom_id: '#swagger-ui', deepLinking: true });
`;

/** Serves Swagger UI for `/api/openapi.json`. Like the document, it needs no API key: its calls need one. */
export function serveSwaggerUi(app: NestFastifyApplication): void {
  const adapter = app.getHttpAdapter();
  const serve = (path: string, type: string, body: () => unknown): void => {
    adapter.get(path, (_request: unknown, reply: FastifyReply) =>
      reply.header('content-type', type).header('content-security-policy', POLICY).send(body()),
    );
  };
  serve(PATH, 'text/html; charset=utf-8', () => PAGE);
  serve(`${PATH}/start.js`, 'text/javascript; charset=utf-8', () => START);
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  for (const [file, type] of Object.entries(ASSETS)) {
    serve(`${PATH}/${file}`, type, () => createReadStream(join(folder, file)));
  }
}
