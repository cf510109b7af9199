import { defineTask } from '@a5c-ai/babysitter-sdk';

const add = defineTask('add', ({ n }) => ({ kind: 'node', title: 'add', metadata: { n } }));

/** Runs tasks one after the other and sums up their results. */
export async function process({ steps }, ctx) {
  let sum = 0;
  for (let n = 0; n < steps; n += 1) sum += (await ctx.task(add, { n })).n;
  return sum;
}
