import { UseFilters } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import type { EventOf, EventType } from '@reins/contracts';
import type { BusMessage } from '../consume/message.ts';
import { RethrowFilter } from './rethrow-filter.ts';

type Handler<T extends EventType> = (event: EventOf<T>, message: BusMessage) => Promise<void>;

/**
 * Marks a method as the handler of one event type; a method with another signature does not compile. The validated body
 * is the `@Payload()`, the message the `@Ctx()`. The message is acknowledged when the method resolves and retried when
 * it rejects.
 */
export function OnEvent<T extends EventType>(
  type: T,
): (target: object, key: string | symbol, descriptor: TypedPropertyDescriptor<Handler<T>>) => void {
  const listen: MethodDecorator = EventPattern<string>(type);
  const rethrow: MethodDecorator = UseFilters(new RethrowFilter());
  return (target, key, descriptor) => {
    rethrow(target, key, descriptor);
    listen(target, key, descriptor);
  };
}
