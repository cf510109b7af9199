import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ServiceContext, ServiceDefinition } from '@reins/service-kit';
import { GatewayModule } from './gateway.module.ts';
import { serveOpenApi } from './http/openapi.ts';
import { ProblemFilter, sendProblem } from './http/problem.filter.ts';
import { serveSwaggerUi } from './http/swagger-ui.ts';
import { RequestValidationPipe } from './http/validation.ts';
import { acceptEmptyBodies } from './protocols/openai/empty-body.ts';

/** The service definition: start it with `startService(gateway, settings)`. */
export const gateway: ServiceDefinition = {
  name: 'gateway',
  module: GatewayModule,
  http: ({ settings, log }) => ({
    bodyLimit: settings.gateway.maxBodyBytes,
    frameworkErrors: (error, request, reply) => sendProblem(log, error, request, reply),
  }),
  configure: (app, context) => configureGateway(app, context),
};

/** Configures the Nest application: pipes, filters, body parsers, the OpenAPI document and Swagger UI. */
export function configureGateway(app: NestFastifyApplication, { log }: Pick<ServiceContext, 'log'>): void {
  app.useGlobalPipes(new RequestValidationPipe());
  app.useGlobalFilters(new ProblemFilter(log));
  app.useBodyParser('application/octet-stream', {}, (_request, body, done) => done(null, body));
  acceptEmptyBodies(app);
  serveOpenApi(app);
  serveSwaggerUi(app);
}
