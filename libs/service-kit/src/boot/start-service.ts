import 'reflect-metadata';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { armCrashPoints, type Bus, type BusObserver, connectBus, formatChanges, provision } from '@reins/bus';
import { JetStreamStrategy } from '@reins/bus/nest';
import { ReinsError } from '@reins/contracts';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { Health } from '../health/health.ts';
import { LogOutput } from '../logging/log-output.ts';
import { createLogger, type Logger, nestLogger } from '../logging/logger.ts';
import { METRICS, newGauge } from '../metrics/metrics.ts';
import { busIdentity } from '../nats-users/bus-identity.ts';
import type { Settings } from '../settings/settings.ts';
import { topologyOf } from '../settings/topology.ts';
import { busObserver } from '../telemetry/bus-observer.ts';
import { instrumentHttp } from '../telemetry/http.ts';
import { startTelemetry } from '../telemetry/start-telemetry.ts';
import { reportClockSkew } from './clock-skew.ts';
import { kitModule } from './kit.module.ts';
import type { ServiceContext } from './service-context.ts';
import { type RunningService, SERVICE_NAMES, type ServiceDefinition, type ServiceName } from './service-definition.ts';
import { shutDownWithError } from './shut-down-with-error.ts';

/** Grace period for running work when a service stops. */
const DRAIN_MS = 15_000;

/**
 * Starts one service in this process: connects and provisions the bus, starts its Nest application, listens.
 * @throws ReinsError from the bus (too old, unreachable, topology) or from the service's own start
 */
export async function startService(definition: ServiceDefinition, settings: Settings): Promise<RunningService> {
  if (settings.chaos.crashPoints !== undefined) armCrashPoints(settings.chaos.crashPoints);
  const output = new LogOutput();
  const log = createLogger(definition.name, settings.log.level, output);
  const metrics = new Registry();
  metrics.setDefaultLabels({ service: definition.name });
  const telemetry = await startTelemetry(definition.name, settings.telemetry, { metrics, output });
  try {
    const bus = await connect(definition.name, settings, log, busObserver(metrics, telemetry));
    return await closeBusOnFailure(bus, () =>
      startOnBus(definition, { name: definition.name, settings, bus, log, health: new Health(), metrics, telemetry }),
    );
  } catch (error) {
    await telemetry.stop();
    throw error;
  }
}

async function closeBusOnFailure<T>(bus: Bus, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    await bus.close();
    throw error;
  }
}

async function startOnBus(definition: ServiceDefinition, context: ServiceContext): Promise<RunningService> {
  const { bus, health, log } = context;
  collectDefaultMetrics({ register: context.metrics });
  newGauge(context.metrics, METRICS.ready, () => Number(health.readiness().ready));
  newGauge(context.metrics, METRICS.publisherInFlight, () => sumOf(bus, 'inFlight'));
  newGauge(context.metrics, METRICS.publisherWaiting, () => sumOf(bus, 'backlog'));
  health.add({ name: 'bus', reason: () => (bus.state === 'connected' ? undefined : `the bus is ${bus.state}`) });
  const adapter = new FastifyAdapter({ forceCloseConnections: true, ...definition.http?.(context) });
  const root = rootModule(definition.module, context);
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    logger: nestLogger(log),
    abortOnError: false,
  });
  try {
    return await startApp(app, definition, context);
  } catch (error) {
    // What has started must end before the bus is closed. Otherwise it reports the lost connection as the cause.
    await app.close().catch(() => undefined);
    throw error;
  }
}

async function startApp(
  app: NestFastifyApplication,
  definition: ServiceDefinition,
  context: ServiceContext,
): Promise<RunningService> {
  const { bus, log, settings } = context;
  instrumentHttp(app, context.telemetry, context.metrics);
  const strategy = new JetStreamStrategy({ bus, graceMs: DRAIN_MS });
  app.connectMicroservice({ strategy });
  void strategy.ended.then(({ durable, reason }) =>
    shutDownWithError(log, { code: 'bus_unavailable', message: `the consumer ${durable} ended: ${reason}` }),
  );
  await definition.configure?.(app, context);
  await app.init(); // dependencies of the handlers are ready before the first message arrives
  await app.startAllMicroservices();
  await listen(app, portOf(definition, settings), settings.http.host);
  const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  log.info({ url }, `${definition.name} started`);
  return { name: definition.name, url, stop: once(() => stop(app, strategy, context)) };
}

/** @throws ReinsError `port_in_use` */
async function listen(app: NestFastifyApplication, port: number, host: string): Promise<void> {
  try {
    await app.listen(port, host);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause;
    const message = `another process listens on ${host}:${port}`;
    const hint = 'Stop that process, or set http.portBase to another range of free ports.';
    throw new ReinsError({ code: 'port_in_use', message, path: 'http.portBase', hint }, { cause });
  }
}

async function stop(
  app: NestFastifyApplication,
  strategy: JetStreamStrategy,
  { bus, health, log, telemetry }: ServiceContext,
): Promise<void> {
  health.drain();
  strategy.pause();
  await app.close();
  await bus.close();
  log.info({}, 'stopped');
  await telemetry.stop();
}

/** A root module that imports the kit and the service's module. */
function rootModule(module: Type<unknown>, context: ServiceContext): DynamicModule {
  @Module({})
  class Root {}
  return { module: Root, imports: [kitModule(context), module] };
}

async function connect(name: ServiceName, settings: Settings, log: Logger, observer: BusObserver): Promise<Bus> {
  const { nats } = settings;
  const bus = await connectBus({
    servers: nats.url.split(','),
    name: `${name}-${process.pid}`,
    log,
    observer,
    ...busIdentity(nats, name),
  });
  await topologyFor(bus, settings, log);
  await reportClockSkew(bus, log);
  return bus;
}

/** Creates or checks the topology, unless the supervisor has created it: services then have no permission for that. */
async function topologyFor(bus: Bus, settings: Settings, log: Logger): Promise<void> {
  bus.singleReplica = settings.nats.replicas === 1;
  if (settings.nats.managed === 'supervisor') return;
  const changes = await provision(bus, topologyOf(settings));
  if (changes.length > 0) log.info({ changes: changes.length }, `bus topology:\n${formatChanges(changes)}`);
}

/** Sums a load value over all publishers of a service. */
const sumOf = (bus: Bus, what: 'inFlight' | 'backlog'): number =>
  [...bus.publishers].reduce((sum, publisher) => sum + publisher[what], 0);

function portOf({ name }: ServiceDefinition, { http }: Settings): number {
  if (http.port !== undefined) return http.port;
  return http.portBase === 0 ? 0 : http.portBase + SERVICE_NAMES.indexOf(name);
}

function once(action: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= action();
    return done;
  };
}
