import { table } from '../schema/table.ts';

/** Position of the projection, written in the same transaction as the rows. `stream` is the identity of the stream. */
export const CHECKPOINTS = table('projection_checkpoints', {
  meaning: 'The last event that the tables include.',
  key: ['name'],
  columns: {
    name: 'text',
    stream: 'text',
    generation: 'integer',
    seq: 'bigint',
    ce_id: 'text?',
    updated_at: 'timestamptz',
  },
});
