import type { LoggerService } from '@nestjs/common';
import { type Logger, pino } from 'pino';
import { currentIds } from '../telemetry/work-context.ts';
import { LogOutput } from './log-output.ts';

export type { Logger } from 'pino';

/** JSON lines, each with the service's name, and with the request and the trace that it is about. */
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
      // What a line says itself about its request stands.
      mixinMergeStrategy: (line, ids) => ({ ...ids, ...line }),
    },
    output,
  );
}

/** Nest's own messages through the same logger; its start-up chatter is for debugging. */
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
