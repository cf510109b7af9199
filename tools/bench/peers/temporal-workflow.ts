import { proxyActivities } from '@temporalio/workflow';

const { work } = proxyActivities<{ work(args: { i: number; text: string }): Promise<{ n: number }> }>({
  startToCloseTimeout: '1 minute',
});

/** Runs activities one after the other, with small arguments, like the effects of our replay benchmark. */
export async function sequential(activities: number): Promise<number> {
  let sum = 0;
  for (let i = 0; i < activities; i += 1) sum += (await work({ i, text: 'some words of an argument' })).n;
  return sum;
}
