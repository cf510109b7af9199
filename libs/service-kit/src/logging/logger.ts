import type { LoggerService } from '@nestjs/common';
import { type Logger, pino } from 'pino';
import { currentIds } from '../telemetry/work-context.ts';
import { LogOutput } from './log-output.ts';

export type { Logger } from 'pino';

/** Creates a logger that writes JSON lines with the service's name and the ids of the current request and trace. */
export function createLogger(
  service: string,
  level: string,
  output: Pick<LogOutput, 'write'> = new LogOutput(),
): Logger {
  return pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: currentIds,
      // Explicit fields of a line take precedence over the context.
      mixinMergeStrategy: (line, ids) => ({ ...ids, ...line }),
    },
    output,
  );
}

/** Routes Nest's messages to the logger. Nest's startup messages are logged at debug level. */
export function nestLogger(log: Logger): LoggerService {
  const write =
    (level: 'debug' | 'warn' | 'error') =>
    (message: unknown, ...more: unknown[]) => {
      const context = more.findLast((item) => typeof item === 'string');
      if (message instanceof Error) log[level]({ err: message, context }, message.message);
      else log[level]({ context }, String(message));
    };
  return {
    log: write('debug'),
    debug: write('debug'),
    verbose: write('debug'),
    warn: write('warn'),
    error: write('error'),
    fatal: write('error'),
  };
}
