import { EventPattern } from '@nestjs/microservices';
import type { EventOf, EventType } from '@reins/contracts';
import type { BusMessage } from '../consume/message.ts';

type Handler<T extends EventType> = (event: EventOf<T>, message: BusMessage) => Promise<void>;

/**
 * Marks a method as the handler of one event type; a method of another shape does not compile. The checked body arrives as
 * `@Payload()`, the message as `@Ctx()`.
 */
export function OnEvent<T extends EventType>(
  type: T,
): (target: object, key: string | symbol, descriptor: TypedPropertyDescriptor<Handler<T>>) => void {
  const decorate: MethodDecorator = EventPattern<string>(type);
  return decorate;
}
