import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonObject } from '@reins/contracts';
import { tempDir } from '@reins/testing';
import { runProgram } from '../../program.ts';

/** What a command line answered. */
export interface Answer {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
  /** Standard output as the document that `--json` promises. */
  readonly json: JsonObject;
}

/** A folder for one test file, in which run directories, processes and whatever else they need lie. */
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

  /** Writes a file; returns where it is. */
  file(name: string, content: string): string {
    const path = join(this.root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  /** A process module: `body` is the function's, `tasks` what stands before it. */
  process(name: string, body: string, more = ''): string {
    const source = `import { defineTask, RunFailedError } from '@a5c-ai/babysitter-sdk';
const step = defineTask('step', (args) => ({ kind: 'node', title: 'Step ' + args?.n, node: { entry: './step.js' } }));
const shell = defineTask('sh', (args) => ({ kind: 'shell', title: 'sh', ...args }));
${more}
export async function process(inputs, ctx) { ${body} }
`;
    return this.file(`${name}.mjs`, source);
  }

  read(...parts: string[]): JsonObject {
    return JSON.parse(readFileSync(join(this.runs, ...parts), 'utf8')) as JsonObject;
  }

  /** One command line, as JSON, with run directories in this folder. */
  reins(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.forPeople([...args, '--json'], env);
  }

  /** One command line as people type it. */
  async forPeople(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    inProcess = true,
  ): Promise<Answer> {
    let [out, err] = ['', ''];
    const exit = await runProgram(args, {
      env: { BABYSITTER_GLOBAL_STATE_DIR: join(this.root, 'state'), ...env },
      // The walls are the sandbox's own subject, and its children take their time.
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

  /** The same, where it must succeed. */
  async json(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<JsonObject> {
    const answer = await this.reins(args, env);
    if (answer.exit !== 0) throw new Error(`${args.join(' ')} ended with ${answer.exit}: ${answer.out}${answer.err}`);
    return answer.json;
  }
}
