import { createInbox, headers as newHeaders } from '@nats-io/nats-core';
import { HEADERS, ReinsError } from '@reins/contracts';
import { withBus } from '../bus/with-bus.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { REBUILD_SUBJECT, type RebuildEvent } from '../projections.ts';

/** A projector that works says something more often than that. */
const SILENCE_MS = 60_000;

/** Has the projector make the read model anew, and shows how far it has come. */
export async function rebuild(context: CliContext): Promise<ExitCode> {
  const end = await withBus(context, async (bus) => {
    const ended = Promise.withResolvers<RebuildEvent>();
    const reply = createInbox();
    let silence = setTimeout(() => ended.reject(silent()), SILENCE_MS);
    bus.nc.subscribe(reply, {
      callback: (_, message) => {
        clearTimeout(silence);
        silence = setTimeout(() => ended.reject(silent()), SILENCE_MS);
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
      clearTimeout(silence);
    }
  });
  if (end.phase === 'failed') throw new ReinsError(end.error);
  if (context.json) printJson(context, end);
  else context.out(`the read model was rebuilt from ${'messages' in end ? end.messages : 0} messages\n`);
  return EXIT.ok;
}

const silent = (): ReinsError =>
  new ReinsError({
    code: 'service_unavailable',
    message: `the projector has said nothing for ${SILENCE_MS / 1000} s; the rebuild was asked for and may still go on`,
    hint: 'is the projector up? its log tells how a rebuild ended',
  });
