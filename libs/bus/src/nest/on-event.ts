import { UseFilters } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import type { EventOf, Problem } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import type { BusMessage } from '../consume/message.ts';
import type { ConsumeOptions } from '../consume/options.ts';
import type { WORK_TYPES } from '../topology/names.ts';
import { RethrowFilter } from './rethrow-filter.ts';

type WorkType = (typeof WORK_TYPES)[number];
type Handler<T extends WorkType> = (event: EventOf<T>, message: BusMessage) => Promise<void>;

/** How the messages of a handler are consumed. */
export interface WorkOptions extends Pick<ConsumeOptions, 'concurrency' | 'retry'> {
  /** Called before a message goes to DEAD. A worker answers the request with a failure. */
  readonly onDead?: (bus: Bus, message: BusMessage, problem: Problem) => Promise<void>;
}

/**
 * Makes a method the handler of one type of work, consumed through the durable of this type. A method with another
 * signature does not compile. The validated body is the `@Payload()`, the message the `@Ctx()`. The message is
 * acknowledged when the method resolves and retried when it rejects.
 */
export function OnEvent<T extends WorkType>(
  type: T,
  options: WorkOptions,
): (target: object, key: string | symbol, descriptor: TypedPropertyDescriptor<Handler<T>>) => void {
  const listen: MethodDecorator = EventPattern<string>(type, { ...options });
  const rethrow: MethodDecorator = UseFilters(new RethrowFilter());
  return (target, key, descriptor) => {
    rethrow(target, key, descriptor);
    listen(target, key, descriptor);
  };
}
