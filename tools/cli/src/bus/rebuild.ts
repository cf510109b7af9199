import { headers as newHeaders, nuid } from '@nats-io/nats-core';
import { REBUILD_PROGRESS } from '@reins/bus';
import { HEADERS, ReinsError } from '@reins/contracts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { REBUILD_SUBJECT, type RebuildEvent } from '../projections.ts';
import { withBus } from './with-bus.ts';

/** A working projector reports progress more often than this. */
const PROGRESS_TIMEOUT_MS = 60_000;

/** Requests a rebuild of the read model from the projector and prints its progress. */
export async function rebuild(context: CliContext): Promise<ExitCode> {
  const end = await withBus(context, async (bus) => {
    const ended = Promise.withResolvers<RebuildEvent>();
    const reply = `${REBUILD_PROGRESS}.${nuid.next()}`;
    let timeout = setTimeout(() => ended.reject(noProgress()), PROGRESS_TIMEOUT_MS);
    bus.nc.subscribe(reply, {
      callback: (_, message) => {
        clearTimeout(timeout);
        timeout = setTimeout(() => ended.reject(noProgress()), PROGRESS_TIMEOUT_MS);
        const news = message.json<RebuildEvent>();
        if (news.phase === 'done' || news.phase === 'failed') ended.resolve(news);
        else
          context.note(`${news.phase === 'copying' ? 'copied' : 'caught up'}: ${news.messages} of ${news.of} messages`);
      },
    });
    const headers = newHeaders();
    headers.set(HEADERS.reply, reply);
    await bus.nc.flush();
    await bus.js.publish(REBUILD_SUBJECT, '', { headers });
    try {
      return await ended.promise;
    } finally {
      clearTimeout(timeout);
    }
  });
  if (end.phase === 'failed') throw new ReinsError(end.error);
  if (context.json) printJson(context, end);
  else context.out(`read model rebuilt from ${'messages' in end ? end.messages : 0} messages\n`);
  return EXIT.ok;
}

const noProgress = (): ReinsError =>
  new ReinsError({
    code: 'service_unavailable',
    message: `the projector reported no progress for ${PROGRESS_TIMEOUT_MS / 1000} s; the rebuild may still be running`,
    hint: 'Check that the projector runs; its log has the outcome of the rebuild.',
  });
