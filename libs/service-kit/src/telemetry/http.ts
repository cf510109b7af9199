import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import { METRICS, newHistogram } from '../metrics/metrics.ts';
import type { Telemetry } from './telemetry.ts';
import { childContext, readTrace, type SpanContext, withSampling, writeTrace } from './trace-context.ts';
import { runInContext } from './work-context.ts';

interface Call {
  readonly context: SpanContext;
  readonly parentId: string | undefined;
  readonly startedAt: number;
}

/** Health and metrics requests are not traced. */
const OPERATIONAL: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Measures every HTTP call, records a span for it, and adds its ids to log lines. It replaces the request's
 * trace context with that of the span, so that later code always finds one.
 */
export function instrumentHttp(app: NestFastifyApplication, telemetry: Telemetry, metrics: Registry): void {
  const seconds = newHistogram(metrics, METRICS.httpSeconds);
  const calls = new WeakMap<FastifyRequest, Call>();
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onRequest', (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    const parent = readTrace(request.headers);
    const child = childContext(parent);
    const context = withSampling(child, telemetry.samples(parent, child.traceId));
    delete request.headers.tracestate; // one that is invalid, or without a trace
    Object.assign(request.headers, writeTrace(context));
    calls.set(request, { context, parentId: parent?.spanId, startedAt: performance.now() });
    runInContext({ span: context }, done);
  });
  server.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    const call = calls.get(request);
    if (call) recordCall(request, reply, call);
    done();
  });

  function recordCall(request: FastifyRequest, reply: FastifyReply, { context, parentId, startedAt }: Call): void {
    const { method } = request;
    const route = request.routeOptions.url ?? 'none';
    const status = reply.statusCode;
    const endedAt = performance.now();
    seconds.observe({ method, route, status: String(status) }, (endedAt - startedAt) / 1000);
    if (!telemetry.on || OPERATIONAL.has(route)) return;
    telemetry.span({
      name: route === 'none' ? method : `${method} ${route}`,
      kind: 'server',
      context,
      parentId,
      from: performance.timeOrigin + startedAt,
      to: performance.timeOrigin + endedAt,
      attributes: {
        'http.request.method': method,
        'http.route': route === 'none' ? undefined : route,
        'http.response.status_code': status,
        'url.path': request.url.split('?')[0],
        'url.scheme': request.protocol,
      },
      error: status >= 500 ? String(status) : undefined,
    });
  }
}
