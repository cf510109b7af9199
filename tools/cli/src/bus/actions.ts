import { DeadLetters, openBucket } from '@reins/bus';
import { type ApiKeyRecord, isObject, isReinsError, type Problem, ReinsError } from '@reins/contracts';
import { newApiKey } from '@reins/service-kit/installation';
import { wholeNumber } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode, exitCodeOf } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { problemLine } from '../output/report.ts';
import { table } from '../output/table.ts';
import { revoke } from './revoke.ts';
import { withBus } from './with-bus.ts';

/** The NATS subjects to subscribe to. No argument: every fact and directive. An argument without dots or wildcards is a request id. */
function subjectsOf(subject: string | undefined): readonly string[] {
  if (subject === undefined) return ['runtime.>', 'control.directive.emitted.>'];
  if (subject.includes('.') || subject.includes('>') || subject.includes('*')) return [subject];
  return ['runtime.>', 'agent.>', 'control.directive.emitted.>'];
}

export async function tail(context: CliContext, subject: string | undefined): Promise<ExitCode> {
  const subjects = subjectsOf(subject);
  const request = subjects.length === 3 ? subject : undefined;
  await withBus(context, async (bus) => {
    const ended = Promise.withResolvers<void>();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.resolve());
    const show = (at: string, data: Uint8Array): void => {
      if (request && !at.split('.').includes(request)) return;
      const text = new TextDecoder().decode(data);
      context.out(context.json ? `${JSON.stringify({ subject: at, body: parsed(text) })}\n` : `${at} ${text}\n`);
    };
    for (const each of subjects)
      bus.nc.subscribe(each, { callback: (_, message) => show(message.subject, message.data) });
    await bus.nc.flush();
    context.note(`watching ${subjects.join(' ')}; press Ctrl-C to stop`);
    await Promise.race([ended.promise, bus.nc.closed()]);
  });
  return EXIT.ok;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export async function deadList(context: CliContext, stream: string | undefined): Promise<ExitCode> {
  const letters = await withBus(context, (bus) => new DeadLetters(bus).list(stream ? { stream } : {}));
  const rows = letters.map(({ seq, time, subject, deliveries, problem }) => ({
    seq,
    time: time.toISOString(),
    subject,
    deliveries,
    code: problem.code,
    reason: problem.message,
  }));
  if (context.json) printJson(context, rows);
  else if (rows.length === 0) context.out('no dead letters\n');
  else
    context.out(
      `${table(
        ['seq', 'time', 'subject', 'deliveries', 'code', 'reason'],
        rows.map((row) => Object.values(row).map(String)),
      )}\n`,
    );
  return EXIT.ok;
}

export async function deadShow(context: CliContext, seq: string): Promise<ExitCode> {
  const number = wholeNumber(seq, 'seq');
  const letter = await withBus(context, (bus) => new DeadLetters(bus).show(number));
  if (!letter)
    throw new ReinsError(withHint({ code: 'dead_letter_not_found', message: 'no such dead letter', path: seq }));
  printJson(context, { ...letter, data: parsed(new TextDecoder().decode(letter.data)) });
  return EXIT.ok;
}

const withHint = (problem: Problem): Problem =>
  problem.code === 'dead_letter_not_found'
    ? { ...problem, hint: 'List the dead letters with `reins dead list`.' }
    : problem;

/** Publishes dead letters again, with the same fencing as any other message. Reports every one that could not be published. */
export async function deadRedrive(context: CliContext, seqs: readonly string[]): Promise<ExitCode> {
  const numbers = seqs.map((seq) => wholeNumber(seq, 'seq'));
  const problems: Problem[] = [];
  const sent: { seq: number; stream: string; stored_seq: number }[] = [];
  await withBus(context, async (bus) => {
    const dead = new DeadLetters(bus);
    for (const seq of numbers) {
      try {
        const stored = await dead.redrive(seq);
        sent.push({ seq, stream: stored.stream, stored_seq: stored.seq });
      } catch (error) {
        if (!isReinsError(error)) throw error;
        problems.push(...error.problems.map(withHint));
      }
    }
  });
  const [error] = problems;
  if (context.json) printJson(context, { sent, ...(error && { error }), errors: problems });
  else {
    for (const { seq, stream } of sent) context.note(`dead letter ${seq} published to ${stream} again`);
    for (const problem of problems) context.note(problemLine(problem));
  }
  return error ? exitCodeOf(error.code) : EXIT.ok;
}

/** Removes dead letters. Reports every one that does not exist. */
export async function deadDiscard(context: CliContext, seqs: readonly string[]): Promise<ExitCode> {
  const numbers = seqs.map((seq) => wholeNumber(seq, 'seq'));
  const discarded: number[] = [];
  const errors: Problem[] = [];
  await withBus(context, async (bus) => {
    const dead = new DeadLetters(bus);
    for (const seq of numbers) {
      if (await dead.remove(seq)) discarded.push(seq);
      else errors.push(withHint({ code: 'dead_letter_not_found', message: 'no such dead letter', path: String(seq) }));
    }
  });
  const [error] = errors;
  if (context.json) printJson(context, { discarded, ...(error && { error }), errors });
  else {
    for (const seq of discarded) context.note(`dead letter ${seq} discarded`);
    for (const problem of errors) context.note(problemLine(problem));
  }
  return error ? exitCodeOf(error.code) : EXIT.ok;
}

export async function verify(context: CliContext): Promise<ExitCode> {
  const { formatReport, openDatabase, verifyProjections } = await import('../projections.ts');
  const report = await withBus(context, async (bus, settings) => {
    const db = openDatabase(settings.database);
    try {
      return await verifyProjections(bus, db);
    } finally {
      await db.destroy();
    }
  });
  if (context.json) printJson(context, report);
  else context.out(`${formatReport(report)}\n`);
  return report.ok ? EXIT.ok : EXIT.failed;
}

export async function createKey(context: CliContext, name: string): Promise<ExitCode> {
  const { key, record } = newApiKey(name, new Date());
  await withBus(context, async (bus) => (await openBucket<ApiKeyRecord>(bus, 'keys')).create(record.id, record));
  if (context.json) printJson(context, { id: record.id, name, key });
  else context.out(`${key}\n`);
  return EXIT.ok;
}

export async function listKeys(context: CliContext): Promise<ExitCode> {
  const records = await withBus(context, async (bus) => {
    const bucket = await openBucket<ApiKeyRecord>(bus, 'keys');
    const entries = await Promise.all((await bucket.keys()).map((id) => bucket.get(id)));
    return entries.flatMap((entry) => (entry && isObject(entry.value) ? [entry.value] : []));
  });
  const rows = records.map(({ id, name, createdAt, revokedAt }) => ({
    id,
    name,
    createdAt,
    revokedAt: revokedAt ?? '',
  }));
  if (context.json) printJson(context, rows);
  else
    context.out(
      `${table(
        ['id', 'name', 'createdAt', 'revokedAt'],
        rows.map((row) => Object.values(row)),
      )}\n`,
    );
  return EXIT.ok;
}

export async function revokeKey(context: CliContext, id: string): Promise<ExitCode> {
  await withBus(context, async (bus) => {
    await revoke(await openBucket<ApiKeyRecord>(bus, 'keys'), id, new Date());
  });
  if (context.json) printJson(context, { id, revoked: true });
  else context.note(`key ${id} revoked`);
  return EXIT.ok;
}
