import { expect, test } from '@jest/globals';
import type { BusMessage } from '@reins/bus';
import { createLogger } from '../logging/logger.ts';
import { runInContext } from './work-context.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const lines: string[] = [];
const log = createLogger('test', 'info', { write: (line: string) => void lines.push(line) });
const logged = (): object[] => lines.splice(0).map((line) => JSON.parse(line));

const message = (subject: string, traceparent?: string): BusMessage =>
  ({ subject, event: { traceparent } }) as unknown as BusMessage;

test('adds the ids of request and trace to log lines of a message, also after an await', async () => {
  const subject = 'inbox.3.command.run.submit.ws.run1';
  await runInContext({ message: message(subject, `00-${TRACE}-b7ad6b7169203331-01`) }, async () => {
    await Promise.resolve();
    log.info('one');
    log.info({ requestId: 'another' }, 'two');
  });
  runInContext({ message: message('runtime.plan.requested.ws.run2') }, () => log.info('three'));
  log.info('four');
  const ids = { traceId: TRACE, spanId: 'b7ad6b7169203331' };
  expect(logged()).toEqual([
    expect.objectContaining({ msg: 'one', requestId: 'run1', ...ids }),
    expect.objectContaining({ msg: 'two', requestId: 'another', ...ids }),
    expect.objectContaining({ msg: 'three', requestId: 'run2' }),
    expect.not.objectContaining({ requestId: expect.anything() }),
  ]);
});
