import type { UnreadableMessage } from '../projection/log-event.ts';
import { projection } from '../projection/projection.ts';
import { type RowOf, table } from '../schema/table.ts';

/** Messages that are not valid events; stored and listed, never dropped. */
export const UNREADABLE = table('unreadable_messages', {
  meaning: 'Messages of the event log that are not valid events.',
  key: ['generation', 'seq'],
  columns: {
    generation: 'integer',
    seq: 'bigint',
    subject: 'text',
    ce_id: 'text?',
    code: 'text',
    message: 'text',
    stored_at: 'timestamptz',
  },
});
export type UnreadableRow = RowOf<typeof UNREADABLE>;

export const unreadableMessagesProjection = projection({
  table: UNREADABLE,
  scope: 'message',
  mode: 'append',
  evolve: () => [],
  unreadable: (message, generation) => [unreadableRow(message, generation)],
});

function unreadableRow({ seq, subject, id, time, problem }: UnreadableMessage, generation: number): UnreadableRow {
  return { generation, seq, subject, ce_id: id ?? null, code: problem.code, message: problem.message, stored_at: time };
}
