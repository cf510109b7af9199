import type { Command } from 'commander';
import type { AddCommand } from '../command.ts';
import type { AssignFlags } from './assign-action.ts';

/** Imported when a command runs, so that the CLI starts quickly. */
const actions = () => import('./control-actions.ts');

const DESCRIPTIONS = {
  pause: 'Pause a request: running work continues, no new work starts',
  resume: 'Resume a paused request, or one whose process was fixed',
  halt: 'End a request without running its clean-up handlers',
  unpark: 'Retry the held messages of a parked request now',
} as const;

/** Adds the commands that control an open request. */
export function addRequestControl(requests: Command, run: Parameters<AddCommand>[1]): void {
  for (const action of ['pause', 'resume', 'halt', 'unpark'] as const) {
    requests
      .command(`${action} <request>`)
      .description(DESCRIPTIONS[action])
      .option('--reason <text>', 'Reason to record')
      .action((id: string, { reason }: { reason?: string }) =>
        run(async (context) => (await actions()).control(context, id, action, reason)),
      );
  }
  requests
    .command('assign <request> [dir]')
    .description('Assign a process to a request, or give its process corrected code from a workspace folder')
    .requiredOption('--process <id>', 'Code of the workspace, as path#export, or a built-in process')
    .option('--inputs <file|json>', 'Inputs of the process')
    .option('--force', 'Replace an assigned process; its pending effects are cancelled')
    .option('--reason <text>', 'Reason to record')
    .action((id: string, dir: string | undefined, flags: AssignFlags) =>
      run(async (context) => (await import('./assign-action.ts')).assign(context, id, dir, flags)),
    );
  requests
    .command('tasks <request>')
    .description('List the tasks of a request')
    .action((id: string) => run(async (context) => (await actions()).tasks(context, id)));
  requests
    .command('answer <request> <effect> <answer>')
    .description('Answer a pending effect (a question, a breakpoint or a task) with JSON or plain text')
    .option('--question <number>', 'Answer only the question with this number')
    .action((id: string, effectId: string, value: string, { question }: { question?: string }) =>
      run(async (context) => (await actions()).answer(context, id, effectId, value, question)),
    );
  requests
    .command('fail <request> <effect> <message>')
    .description('Report that a task failed')
    .action((id: string, effectId: string, message: string) =>
      run(async (context) => (await actions()).fail(context, id, effectId, message)),
    );
  requests
    .command('signal <request> <name> [payload]')
    .description('Send a signal to a request, with a payload of JSON or plain text')
    .action((id: string, name: string, payload: string | undefined) =>
      run(async (context) => (await actions()).signal(context, id, name, payload)),
    );
  requests
    .command('invalidate <request> <effect>')
    .description('Invalidate an effect, so that it and all later effects are requested again')
    .option('--reason <text>', 'Reason to record')
    .action((id: string, effectId: string, { reason }: { reason?: string }) =>
      run(async (context) => (await actions()).invalidate(context, id, effectId, reason)),
    );
}

export const addApprovals: AddCommand = (program, run) => {
  const approvals = program.command('approvals').description('List and decide approvals');
  approvals
    .command('list <request>')
    .description('List the approvals of a request')
    .action((id: string) => run(async (context) => (await import('./approvals.ts')).approvals(context, id)));
  approvals
    .command('show <request> <approval>')
    .description('Show an approval with all of its data')
    .action((id: string, approvalId: string) =>
      run(async (context) => (await import('./approvals.ts')).showApproval(context, id, approvalId)),
    );
  const decisions = {
    approve: { decision: 'approved', description: 'Approve a pending approval of a request' },
    deny: { decision: 'denied', description: 'Deny a pending approval of a request' },
  } as const;
  for (const [name, { decision, description }] of Object.entries(decisions)) {
    approvals
      .command(`${name} <request> <approval>`)
      .description(description)
      .option('--comment <text>', 'Comment for the process')
      .action((id: string, approvalId: string, { comment }: { comment?: string }) =>
        run(async (context) => (await actions()).decide(context, id, approvalId, decision, comment)),
      );
  }
};
