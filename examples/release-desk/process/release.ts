import type { ProcessContext } from '@reins/replay';
import { defineTask } from '@reins/replay/babysitter';
import checks from './checks.json' with { type: 'json' };

/** What a request must be given: `--inputs '{"version": "1.4.0"}'`. Any other has failed before it begins. */
export const inputSchema = {
  type: 'object',
  required: ['version'],
  properties: {
    version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
    /** How long it is held back for objections. */
    holdSeconds: { type: 'integer', minimum: 0 },
  },
  additionalProperties: false,
};

interface Release {
  readonly version: string;
  readonly holdSeconds?: number;
}

/** Work for somebody outside: `reins requests answer <request> <effect> …` says how it went. */
const check = defineTask('check', ({ name, version }: { name: string; version: string }) => ({
  kind: 'check',
  title: `${name} of ${version}`,
}));

/**
 * Notes and checks side by side, a person's word, a while for objections, and out. Everything that is awaited here may take days, and the
 * machine may be another one afterwards: the run goes on where it was.
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

  // Recorded when it is done: after a crash in between it is done again, and it must not matter.
  const tag = await ctx.step('tag', () => `v${version}`);
  return { tag, checks: checks.length, failed };
}

const approved = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'approved' in answer && answer.approved === true;
