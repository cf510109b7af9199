export { type EndedConsumer, JetStreamStrategy, type JetStreamStrategyOptions } from './jetstream-strategy.ts';
export { OnEvent, type WorkOptions } from './on-event.ts';
export { RethrowFilter } from './rethrow-filter.ts';
