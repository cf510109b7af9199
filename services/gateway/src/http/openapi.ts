import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { EXTRA_MODELS } from './api.ts';

const PATH = '/api/openapi.json';

/** Serves the OpenAPI 3.1 document of the API. */
export function serveOpenApi(app: NestFastifyApplication): void {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Reins')
    .setDescription(
      'Submit work for a workspace, follow it, and fetch what it left. Errors are `application/problem+json`.',
    )
    .setVersion('1')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'an API key: `rk_<id>_<secret>`' })
    .build();
  const document = SwaggerModule.createDocument(app, config, { extraModels: [...EXTRA_MODELS] });
  app.getHttpAdapter().get(PATH, (_request: unknown, reply: { send(body: unknown): void }) => reply.send(document));
}
