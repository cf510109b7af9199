import type { Command } from 'commander';
import type { AddCommand } from './command.ts';

/** Loaded when one of them is used: a command line starts at once. */
const actions = () => import('../actions/request-control.ts');

const HOW = {
  pause: 'hold a request: what is under way goes on, nothing new is asked for',
  resume: 'let a request go on that was paused, or whose process was mended',
  halt: 'end a request well, by hand',
} as const;

/** What people do to a request that is under way. */
export function addRequestControl(requests: Command, run: Parameters<AddCommand>[1]): void {
  for (const how of ['pause', 'resume', 'halt'] as const) {
    requests
      .command(`${how} <request>`)
      .description(HOW[how])
      .option('--reason <text>', 'why')
      .action((id: string, { reason }: { reason?: string }) =>
        run(async (context) => (await actions()).control(context, id, how, reason)),
      );
  }
  requests
    .command('tasks <request>')
    .description('the tasks that the process of a request asked for')
    .action((id: string) => run(async (context) => (await actions()).tasks(context, id)));
  requests
    .command('answer <request> <effect> <answer>')
    .description('answer a question, a breakpoint or a task; JSON, or else a text')
    .action((id: string, effectId: string, value: string) =>
      run(async (context) => (await actions()).answer(context, id, effectId, value)),
    );
  requests
    .command('fail <request> <effect> <message>')
    .description('say that a task failed')
    .action((id: string, effectId: string, message: string) =>
      run(async (context) => (await actions()).fail(context, id, effectId, message)),
    );
  requests
    .command('signal <request> <name> [payload]')
    .description('send a request an event from outside; JSON, or else a text')
    .action((id: string, name: string, payload: string | undefined) =>
      run(async (context) => (await actions()).signal(context, id, name, payload)),
    );
  requests
    .command('invalidate <request> <effect>')
    .description('have an effect, and everything after it, asked for again')
    .option('--reason <text>', 'why')
    .action((id: string, effectId: string, { reason }: { reason?: string }) =>
      run(async (context) => (await actions()).invalidate(context, id, effectId, reason)),
    );
}

export const addApprovals: AddCommand = (program, run) => {
  const approvals = program.command('approvals').description('what requests wait for a person to decide');
  approvals
    .command('list <request>')
    .description('the approvals of a request')
    .action((id: string) => run(async (context) => (await actions()).approvals(context, id)));
  const decisions = { approve: 'approved', deny: 'denied' } as const;
  for (const [name, decision] of Object.entries(decisions)) {
    approvals
      .command(`${name} <request> <approval>`)
      .description(`it is ${decision}`)
      .option('--comment <text>', 'what the process is told with it')
      .action((id: string, approvalId: string, { comment }: { comment?: string }) =>
        run(async (context) => (await actions()).decide(context, id, approvalId, decision, comment)),
      );
  }
};
