import { GuardedProcess, guardian } from '@reins/embedded';

// Starts a process that would run for long, tells its pid, and waits to be killed.
guardian.removeAtEnd(process.argv[2]);
const child = await GuardedProcess.start({ command: '/bin/sleep', args: ['600'] });
console.log(String(child.pid)); // a number would be coloured where colours are forced
await child.exited;
