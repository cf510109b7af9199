import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ConsumeOptions } from '@reins/bus';
import type { FastifyServerOptions } from 'fastify';
import type { ServiceContext } from './service-context.ts';

/** Every service; its place in the list is its place after `http.portBase`. */
export const SERVICE_NAMES = [
  'gateway',
  'plan-compiler',
  'runner-prep',
  'control-bus',
  'harness-host',
  'projector',
  'narrator',
] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** What makes a service: its module, and what of the bus its decorated handlers consume. */
export interface ServiceDefinition {
  readonly name: ServiceName;
  readonly module: Type<unknown>;
  /** Durables whose messages go to handlers decorated with `@OnEvent`. */
  readonly consumers?: (context: ServiceContext) => readonly Omit<ConsumeOptions, 'handler'>[];
  /** Before it listens: pipes, filters, documents. */
  readonly configure?: (app: NestFastifyApplication, context: ServiceContext) => Promise<void> | void;
  /** How its HTTP server takes calls: limits, and answers to what is no call at all. */
  readonly http?: (context: ServiceContext) => Pick<FastifyServerOptions, 'bodyLimit' | 'frameworkErrors'>;
}

export interface RunningService {
  readonly name: ServiceName;
  /** Where health, metrics and, for the gateway, the API are. */
  readonly url: string;
  /** Takes no more work, finishes what it has within the grace, closes. */
  stop(): Promise<void>;
}
