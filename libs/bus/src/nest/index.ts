export { type EndedConsumer, JetStreamStrategy, type JetStreamStrategyOptions } from './jetstream-strategy.ts';
export { OnEvent } from './on-event.ts';
export { RethrowFilter } from './rethrow-filter.ts';
