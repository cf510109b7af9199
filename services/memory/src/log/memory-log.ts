import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Appender, type AppendResult, type Bus } from '@reins/bus';
import { BUS } from '@reins/service-kit';
import { logSubject, type Namespace } from '../model/namespaces.ts';
import { type Change, STREAM } from './changes.ts';

const encoder = new TextEncoder();

/** Appends changes to the stream MEMORY, each fenced by the last change of its namespace. */
@Injectable()
export class MemoryLog implements BeforeApplicationShutdown {
  readonly #appender: Appender;

  constructor(@Inject(BUS) bus: Bus) {
    this.#appender = new Appender(bus, { stream: STREAM });
  }

  /**
   * @param id of the change: the same change is stored once
   * @param lastSeq sequence of the last change of the namespace that the decision knows; 0 = none
   * @throws ReinsError of the bus
   */
  append(namespace: Namespace, id: string, change: Change, lastSeq: number): Promise<AppendResult> {
    return this.#appender.append({
      subject: logSubject(namespace),
      data: encoder.encode(JSON.stringify(change)),
      msgId: id,
      expectedLastSubjectSeq: lastSeq,
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#appender.close();
  }
}
