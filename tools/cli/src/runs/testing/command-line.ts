import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonObject } from '@reins/contracts';
import { tempDir } from '@reins/testing';
import { runProgram } from '../../program.ts';

/** The result of a command line. */
export interface Answer {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
  /** Standard output, parsed as JSON. */
  readonly json: JsonObject;
}

/** A temporary folder for one test file, with run directories, processes and other files. */
export class Workbench {
  readonly runs: string;

  private constructor(readonly root: string) {
    this.runs = join(root, 'state', 'runs');
  }

  static async make(): Promise<Workbench> {
    return new Workbench(await tempDir('runs'));
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  /** Writes a file and returns its path. */
  file(name: string, content: string): string {
    const path = join(this.root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  /** Writes a process module: `body` is the body of the function, `more` is code before it. */
  process(name: string, body: string, more = ''): string {
    const source = `import { defineTask, RunFailedError } from '@a5c-ai/babysitter-sdk';
const step = defineTask('step', (args) => ({ kind: 'node', title: 'Step ' + args?.n, node: { entry: './step.js' } }));
const shell = defineTask('sh', (args) => ({ kind: 'shell', title: 'sh', ...args }));
${more}
export async function process(inputs, ctx) { ${body} }
`;
    return this.file(`${name}.mjs`, source);
  }

  /** The content of a file. */
  text(name: string): string {
    return readFileSync(join(this.root, name), 'utf8');
  }

  read(...parts: string[]): JsonObject {
    return JSON.parse(readFileSync(join(this.runs, ...parts), 'utf8')) as JsonObject;
  }

  /** Runs a command line with `--json`; run directories are in this folder. */
  reins(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.forPeople([...args, '--json'], env);
  }

  /** Runs a command line without `--json`. */
  async forPeople(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    inProcess = true,
  ): Promise<Answer> {
    let [out, err] = ['', ''];
    const exit = await runProgram(args, {
      env: { BABYSITTER_GLOBAL_STATE_DIR: join(this.root, 'state'), ...env },
      // The sandbox has its own tests, and its child processes are slow.
      inProcess,
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
    });
    return {
      exit,
      out,
      err,
      get json() {
        return JSON.parse(out) as JsonObject;
      },
    };
  }

  /** Runs a command line with `--json` and returns its output. @throws Error when it fails */
  async json(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<JsonObject> {
    const answer = await this.reins(args, env);
    if (answer.exit !== 0) throw new Error(`${args.join(' ')} ended with ${answer.exit}: ${answer.out}${answer.err}`);
    return answer.json;
  }
}
