import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { minimalEnvironment } from './minimal-environment.ts';

/**
 * The script of the guardian. It keeps a list of processes and folders that it receives on its own channel. When the
 * channel closes, which happens however its starter dies, it stops the processes (gracefully, then by SIGKILL) and
 * removes the folders. It removes them twice, since unguarded processes may still write for a moment.
 *
 * The guardian is not a descendant of its starter, so that it survives when a task runner kills a process with all
 * descendants. It is plain `sh`, which is always available, needs about a megabyte instead of a Node process, and has
 * no file that a build would have to copy.
 *
 * Protocol lines: `+ <pid> <signal>` guard, `- <pid>` forget, `d <folder>` remove at the end.
 */
const SCRIPT = `
(
exec <&3 3<&-
trap '' INT TERM HUP
guarded=''
folders=''
while IFS=' ' read -r verb first second; do
  case "$verb" in
    +) guarded="$guarded $first:$second" ;;
    -) kept=''; for entry in $guarded; do [ "\${entry%%:*}" = "$first" ] || kept="$kept $entry"; done; guarded="$kept" ;;
    d) folders="$folders
$first" ;;
  esac
done
for entry in $guarded; do kill -s "\${entry##*:}" "\${entry%%:*}" 2>/dev/null; done
tries=0
while [ $tries -lt 100 ]; do
  alive=''
  for entry in $guarded; do kill -0 "\${entry%%:*}" 2>/dev/null && alive=yes; done
  [ -z "$alive" ] && break
  tries=$((tries + 1))
  sleep 0.1
done
for entry in $guarded; do
  kill -s KILL -- "-\${entry%%:*}" 2>/dev/null
  kill -s KILL "\${entry%%:*}" 2>/dev/null
done
IFS='
'
remove() { for folder in $folders; do rm -rf -- "$(printf '%b' "$folder")"; done; }
remove
[ -z "$folders" ] || { sleep 2; remove; }
) &
`;

/**
 * Stops the child processes of this process when it is gone, even by SIGKILL. One small child process serves all
 * guarded processes. It starts with the first one, and restarts if it is killed.
 */
class Guardian {
  #channel: Socket | undefined;
  readonly #processes = new Map<number, NodeJS.Signals>();
  readonly #folders = new Set<string>();

  /** Guards `pid`, the leader of its own process group: it is stopped when this process is gone. */
  guard(pid: number, signal: NodeJS.Signals): void {
    this.#processes.set(pid, signal);
    this.#send(processLine(pid, signal));
  }

  /** Stops guarding `pid`, which has ended. */
  forget(pid: number): void {
    if (this.#processes.delete(pid) && this.#channel) this.#send(`- ${pid}\n`);
  }

  /** Removes `folder` with its content when this process is gone. */
  removeAtEnd(folder: string): void {
    this.#folders.add(folder);
    this.#send(folderLine(folder));
  }

  #send(line: string): void {
    // A new guardian receives all known entries, including this one.
    if (this.#channel) this.#channel.write(line);
    else this.#start();
  }

  #start(): void {
    // In its own session: a Ctrl-C in the terminal or a signal to our group must not reach it.
    const stdio = ['ignore', 'ignore', 'ignore', 'pipe'] as const;
    const env = minimalEnvironment();
    const starter = spawn('/bin/sh', ['-c', SCRIPT], { detached: true, stdio: [...stdio], cwd: '/', env });
    starter.once('error', () => {}); // then there is no channel, or it closes
    starter.unref();
    const channel = channelOf(starter);
    this.#channel = channel;
    channel?.on('error', () => {}); // its exit is handled by 'close'
    // The guardian writes nothing to the channel; it is open as long as the guardian lives.
    channel?.resume().once('close', () => this.#replace(channel, starter.pid !== undefined));
    for (const [pid, signal] of this.#processes) channel?.write(processLine(pid, signal));
    for (const folder of this.#folders) channel?.write(folderLine(folder));
    // The open channel must not keep this process alive: its closing triggers the guardian.
    channel?.unref();
  }

  #replace(channel: Socket, lived: boolean): void {
    if (this.#channel !== channel) return;
    this.#channel = undefined;
    if (lived && (this.#processes.size > 0 || this.#folders.size > 0)) this.#start();
  }
}

/** Not standard input, which closes with the intermediate process that ends immediately. */
const channelOf = ({ stdio }: ChildProcess): Socket | undefined => stdio?.[3] as Socket | undefined;

const processLine = (pid: number, signal: NodeJS.Signals): string => `+ ${pid} ${signal.replace(/^SIG/, '')}\n`;

/** Encodes blanks, newlines and backslashes of a folder as octal escapes, so that it is one word. */
const folderLine = (folder: string): string =>
  `d ${folder.replace(/[\s\\]/g, (c) => `\\0${c.charCodeAt(0).toString(8).padStart(3, '0')}`)}\n`;

/** The guardian of this process. */
export const guardian = new Guardian();
