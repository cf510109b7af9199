import type { Bus, ConsumeOptions } from '../index.ts';

/** Marks a method as the handler of one event type (`ce-type`). The body arrives as `@Payload()`, the BusMessage as `@Ctx()`. */
export declare function OnEvent(type: string): MethodDecorator;

export interface JetStreamStrategyOptions {
  readonly bus: Bus;
  readonly consumers: readonly Omit<ConsumeOptions, 'handler'>[];
  readonly graceMs?: number;
}
