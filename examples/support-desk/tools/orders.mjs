const ORDERS = {
  'A-1001': { status: 'on its way', arrives: 'in two days' },
  'A-1002': { status: 'delivered', arrived: 'a week ago' },
};

/** A workspace tool: it gets the arguments of the call and returns the result. */
export function orderStatus({ order }) {
  if (!Object.hasOwn(ORDERS, order)) throw new Error(`there is no order ${order}`);
  return ORDERS[order];
}
orderStatus.description = 'How an order stands.';
orderStatus.inputSchema = { properties: { order: { type: 'string', examples: ['A-1001'] } }, required: ['order'] };
orderStatus.annotations = { readOnlyHint: true };
