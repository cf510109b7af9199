import type { ProcessContext } from '@reins/replay';
import { defineTask } from '@reins/replay/babysitter';
import checks from './checks.json' with { type: 'json' };

/** The JSON Schema of the inputs, such as `--inputs '{"version": "1.4.0"}'`. Requests with other inputs fail before they start. */
export const inputSchema = {
  type: 'object',
  required: ['version'],
  properties: {
    version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
    /** How long to wait for objections before the release. */
    holdSeconds: { type: 'integer', minimum: 0 },
  },
  additionalProperties: false,
};

interface Release {
  readonly version: string;
  readonly holdSeconds?: number;
}

/** A task for outside work: post its result with `reins requests answer <request> <effect> …`. Its label says which. */
const check = defineTask('check', ({ name, version }: { name: string; version: string }) => ({
  kind: 'check',
  title: `${name} of ${version} (answer "passed" or "failed")`,
}));

/**
 * Writes notes and runs checks in parallel, asks a person, waits for objections, and tags the release. Every await may take days, and the
 * run may continue on another machine.
 */
export async function release({ version, holdSeconds = 3600 }: Release, ctx: ProcessContext) {
  ctx.log('release', version);

  const [notes, ...results] = await ctx.parallel.all([
    () => ctx.child('stage', { stage: 'execute', input: `Release ${version}` }, { key: 'notes' }),
    ...checks.map((name) => () => ctx.task(check, { name, version }, { key: `check ${name}` })),
  ]);
  const failed = checks.filter((_, i) => results[i] !== 'passed');

  const answer = await ctx.breakpoint(
    { question: `Release ${version}?`, failed, notes },
    { label: 'Release', expiresAt: ctx.now().getTime() + 7 * 24 * 60 * 60 * 1000 },
  );
  if (!approved(answer)) ctx.halt('nobody wanted it', { version, failed });

  await ctx.sleepUntil(ctx.now().getTime() + holdSeconds * 1000, { label: 'for objections' });

  // Recorded when it is done. A crash before that repeats the step, so it must be idempotent.
  const tag = await ctx.step('tag', () => `v${version}`);
  return { tag, checks: checks.length, failed };
}

const approved = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'approved' in answer && answer.approved === true;
