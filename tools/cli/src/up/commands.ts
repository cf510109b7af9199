import type { AddCommand } from '../command.ts';
import type { UpFlags } from './actions.ts';

export const addUp: AddCommand = (program, run) => {
  program
    .command('up')
    .description('Start NATS, Postgres and every service on this machine and keep them running')
    .option('--quickstart', 'Submit examples/quickstart and show its run')
    .option('--once', 'With --quickstart: stop after the run')
    .option('--separate', 'Run every service in a separate process')
    .option('--telemetry', 'Export traces, metrics and logs by OTLP, to telemetry.endpoint or http://127.0.0.1:4318')
    .action((flags: UpFlags) => run(async (context) => (await import('./actions.ts')).upCommand(context, flags)));
  program
    .command('down')
    .description('Stop the system that runs in the state folder')
    .action(() => run(async (context) => (await import('./down.ts')).down(context)));
};
