import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { OpenAiErrorResponse } from '../protocols/openai/openai-error.ts';
import { EXTRA_MODELS } from './api.ts';

const PATH = '/api/openapi.json';

/** Serves the OpenAPI 3.1 document of the API. */
export function serveOpenApi(app: NestFastifyApplication): void {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Reins')
    .setDescription(
      'Submit requests for a workspace, follow their events, and fetch their files. Errors are `application/problem+json`.',
    )
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'an API key: `rk_<id>_<secret>`' })
    .build();
  const document = SwaggerModule.createDocument(app, config, { extraModels: [...EXTRA_MODELS, OpenAiErrorResponse] });
  describeOperational(document);
  app.getHttpAdapter().get(PATH, (_request: unknown, reply: { send(body: unknown): void }) => reply.send(document));
}

/** The endpoints that the service kit adds to every service. They need no API key. */
const OPERATIONAL: Readonly<Record<string, string>> = {
  '/healthz': 'Check that the process is alive',
  '/readyz': 'Check that the service accepts work',
  '/metrics': 'Get Prometheus metrics',
};

function describeOperational({ paths }: OpenAPIObject): void {
  for (const [path, summary] of Object.entries(OPERATIONAL)) {
    const operation = paths[path]?.get;
    if (operation) Object.assign(operation, { summary, security: [] });
  }
}
