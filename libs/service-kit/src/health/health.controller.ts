import { Controller, Get, Header, HttpStatus, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Registry } from 'prom-client';
import { Health } from './health.ts';

/** `/healthz` (the process is alive), `/readyz` (it accepts work), `/metrics` (Prometheus). */
@Controller()
export class HealthController {
  constructor(
    private readonly health: Health,
    private readonly metrics: Registry,
  ) {}

  @Get('healthz')
  alive(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('readyz')
  ready(@Res({ passthrough: true }) reply: FastifyReply): object {
    const readiness = this.health.readiness();
    reply.status(readiness.ready ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE);
    return readiness;
  }

  @Get('metrics')
  @Header('content-type', Registry.PROMETHEUS_CONTENT_TYPE)
  async scrape(): Promise<string> {
    return this.metrics.metrics();
  }
}
