import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * The script of the guardian: it keeps a list of processes and folders that it is told on a channel of its own, and when that
 * closes, which happens however its starter dies, it ends the processes (politely, then not) and removes the folders,
 * twice: what nobody guards may go on writing there for a moment.
 *
 * It is nobody's child: what ends a process with all its descendants, as runners of tasks do with those that they cancel, must leave
 * it. Plain `sh`, because it is there, costs a megabyte instead of a Node process, and needs no file that a build would have to copy.
 * Lines: `+ <pid> <signal>` guard, `- <pid>` forget, `d <folder>` remove at the end.
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
 * Ends what this process started when this process is gone, even by SIGKILL. One small child serves every guarded process;
 * it is started with the first one and started again if somebody ends it.
 */
class Guardian {
  #channel: Socket | undefined;
  readonly #processes = new Map<number, NodeJS.Signals>();
  readonly #folders = new Set<string>();

  /** From now on `pid` (the leader of its own process group) is ended when this process is gone. */
  guard(pid: number, signal: NodeJS.Signals): void {
    this.#processes.set(pid, signal);
    this.#tell(processLine(pid, signal));
  }

  /** `pid` has ended by itself. */
  forget(pid: number): void {
    if (this.#processes.delete(pid) && this.#channel) this.#tell(`- ${pid}\n`);
  }

  /** Removes `folder`, with all that is in it, when this process is gone. */
  removeAtEnd(folder: string): void {
    this.#folders.add(folder);
    this.#tell(folderLine(folder));
  }

  #tell(line: string): void {
    // A new guardian learns everything that is known, this line included.
    if (this.#channel) this.#channel.write(line);
    else this.#start();
  }

  #start(): void {
    // Its own session: a Ctrl-C in the terminal or a signal to our group must not reach it before its work begins.
    const stdio = ['ignore', 'ignore', 'ignore', 'pipe'] as const;
    const starter = spawn('/bin/sh', ['-c', SCRIPT], { detached: true, stdio: [...stdio], cwd: '/' });
    starter.once('error', () => {}); // then there is no channel, or one that closes
    starter.unref();
    const channel = channelOf(starter);
    this.#channel = channel;
    channel?.on('error', () => {}); // its death is handled by 'close'
    // It says nothing there; as long as it lives, it is open.
    channel?.resume().once('close', () => this.#replace(channel, starter.pid !== undefined));
    for (const [pid, signal] of this.#processes) channel?.write(processLine(pid, signal));
    for (const folder of this.#folders) channel?.write(folderLine(folder));
    // This process may end while it is open: its closing is the whole point.
    channel?.unref();
  }

  #replace(channel: Socket, lived: boolean): void {
    if (this.#channel !== channel) return;
    this.#channel = undefined;
    if (lived && (this.#processes.size > 0 || this.#folders.size > 0)) this.#start();
  }
}

/** Not its standard input: that is closed with the process that starts it, which ends at once. */
const channelOf = ({ stdio }: ChildProcess): Socket | undefined => stdio?.[3] as Socket | undefined;

const processLine = (pid: number, signal: NodeJS.Signals): string => `+ ${pid} ${signal.replace(/^SIG/, '')}\n`;

/** Folders travel with blanks, newlines and backslashes as octal escapes, so that one line stays one word. */
const folderLine = (folder: string): string =>
  `d ${folder.replace(/[\s\\]/g, (c) => `\\0${c.charCodeAt(0).toString(8).padStart(3, '0')}`)}\n`;

/** The guardian of this process. */
export const guardian = new Guardian();
