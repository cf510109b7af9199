import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { isOpenAiCall } from './openai-error.ts';

/** Accepts calls without a body that say that it is JSON: the Python client sends them. */
export function acceptEmptyBodies(app: NestFastifyApplication): void {
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onRequest', (request, _reply, done) => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    const isEmpty = length === '0' && encoding === undefined;
    if (isEmpty && isOpenAiCall(request.url)) delete request.headers['content-type'];
    done();
  });
}
