import { type ChildProcess, spawn } from 'node:child_process';

/**
 * The script of the guardian: it keeps a list of processes and folders that it is told on its standard input, and when that
 * closes, which happens however its starter dies, it ends the processes (politely, then not) and removes the folders.
 *
 * Plain `sh`, because it is there, costs a megabyte instead of a Node process, and needs no file that a build would have to copy.
 * Lines: `+ <pid> <signal>` guard, `- <pid>` forget, `d <folder>` remove at the end.
 */
const SCRIPT = `
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
for folder in $folders; do rm -rf -- "$(printf '%b' "$folder")"; done
`;

/**
 * Ends what this process started when this process is gone, even by SIGKILL. One small child serves every guarded process;
 * it is started with the first one and started again if somebody ends it.
 */
class Guardian {
  #child: ChildProcess | undefined;
  readonly #processes = new Map<number, NodeJS.Signals>();
  readonly #folders = new Set<string>();

  /** From now on `pid` (the leader of its own process group) is ended when this process is gone. */
  guard(pid: number, signal: NodeJS.Signals): void {
    this.#processes.set(pid, signal);
    this.#tell(processLine(pid, signal));
  }

  /** `pid` has ended by itself. */
  forget(pid: number): void {
    if (this.#processes.delete(pid) && this.#child) this.#tell(`- ${pid}\n`);
  }

  /** Removes `folder`, with all that is in it, when this process is gone. */
  removeAtEnd(folder: string): void {
    this.#folders.add(folder);
    this.#tell(folderLine(folder));
  }

  #tell(line: string): void {
    // A new guardian learns everything that is known, this line included.
    if (this.#child) this.#child.stdin?.write(line);
    else this.#start();
  }

  #start(): void {
    // Its own session: a Ctrl-C in the terminal or a signal to our group must not reach it before its work begins.
    const child = spawn('/bin/sh', ['-c', SCRIPT], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/' });
    this.#child = child;
    child.once('exit', () => this.#replace(child));
    child.once('error', () => this.#replace(child));
    child.stdin?.on('error', () => {}); // its death is handled by 'exit'
    for (const [pid, signal] of this.#processes) child.stdin?.write(processLine(pid, signal));
    for (const folder of this.#folders) child.stdin?.write(folderLine(folder));
    child.unref();
    unrefPipe(child.stdin);
  }

  #replace(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    if (child.pid !== undefined && (this.#processes.size > 0 || this.#folders.size > 0)) this.#start();
  }
}

const processLine = (pid: number, signal: NodeJS.Signals): string => `+ ${pid} ${signal.replace(/^SIG/, '')}\n`;

/** Folders travel with blanks, newlines and backslashes as octal escapes, so that one line stays one word. */
const folderLine = (folder: string): string =>
  `d ${folder.replace(/[\s\\]/g, (c) => `\\0${c.charCodeAt(0).toString(8).padStart(3, '0')}`)}\n`;

/** Lets this process end while the pipe to its guardian is open: the pipe's closing is the whole point. */
function unrefPipe(pipe: unknown): void {
  if (pipe && typeof pipe === 'object' && 'unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
}

/** The guardian of this process. */
export const guardian = new Guardian();
