import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyServerOptions } from 'fastify';
import type { ServiceContext } from './service-context.ts';

/** All services. The index of a service is the offset of its port from `http.portBase`. */
export const SERVICE_NAMES = [
  'gateway',
  'plan-compiler',
  'runner-prep',
  'control-bus',
  'harness-host',
  'projector',
  'narrator',
  'memory',
] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** Definition of a service. Its module has its handlers, which name the work that they consume (`@OnEvent`). */
export interface ServiceDefinition {
  readonly name: ServiceName;
  readonly module: Type<unknown>;
  /** Called before the application listens, for pipes, filters and documents. */
  readonly configure?: (app: NestFastifyApplication, context: ServiceContext) => Promise<void> | void;
  /** Options of its HTTP server: body limit, and responses to requests that are not valid HTTP. */
  readonly http?: (context: ServiceContext) => Pick<FastifyServerOptions, 'bodyLimit' | 'frameworkErrors'>;
}

export interface RunningService {
  readonly name: ServiceName;
  /** Base URL of health, metrics and, for the gateway, the API. */
  readonly url: string;
  /** Accepts no more work, finishes running work within the grace period, and closes. */
  stop(): Promise<void>;
}
