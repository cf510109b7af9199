import { defined, NO_REQUEST } from '@reins/contracts';
import { factOrder } from '../projection/fact-order.ts';
import { projection } from '../projection/projection.ts';
import { table } from '../schema/table.ts';

/** The last facts of runs. A fact that comes before it in causal order is late: its run is folded again. */
export const RUN_POSITIONS = table('run_positions', {
  meaning:
    'The last fact of each run in causal order: the version of its journal entry, and its number among the facts of that entry.',
  key: ['request_id'],
  columns: { request_id: 'text', version: 'integer', fact_index: 'integer' },
});

export const runPositionsProjection = projection({
  table: RUN_POSITIONS,
  scope: 'request',
  mode: 'fold',
  keysOf: ({ id, version, body: { requestId } }) =>
    requestId === NO_REQUEST || !factOrder(defined({ id, version })) ? [] : [[requestId]],
  evolve: (_row, event) => {
    const order = factOrder(event);
    return order && { request_id: event.body.requestId, ...order };
  },
});
