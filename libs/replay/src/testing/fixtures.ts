import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject, JsonValue, RunAddress } from '@reins/contracts';
import { type BabysitterProcess, babysitterProcess } from '../babysitter/index.ts';
import type { ProcessDefinition } from '../process-definition.ts';

const ARCHIVE = fileURLToPath(new URL('../../testdata/babysitter-runs.tar.gz', import.meta.url));

/** Unpacks run directories of three generations of babysitter. @returns their folder */
export async function unpackFixtures(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'reins-babysitter-'));
  execFileSync('tar', ['-xzf', ARCHIVE, '-C', root]);
  return join(root, 'babysitter');
}

/** A writable copy of one of these runs. */
export interface Fixture {
  readonly name: string;
  readonly root: string;
  readonly runsRoot: string;
  readonly run: RunAddress;
  readonly expected: Expected;
  definition(): Promise<ProcessDefinition>;
}

export interface Expected {
  readonly runStatus: { readonly exitCode: number; readonly json: JsonObject };
  readonly runEvents: {
    readonly events: readonly (JsonObject & { readonly type: string; readonly effectId?: string })[];
  };
  readonly taskList: JsonObject;
  readonly iterate: {
    readonly status?: string;
    readonly output?: JsonValue;
    readonly nextActions?: readonly (JsonObject & { readonly effectId: string })[];
    readonly thrown?: { readonly message: string };
  };
}

export async function openFixture(unpacked: string, name: string): Promise<Fixture> {
  const root = join(await mkdtemp(join(tmpdir(), 'reins-fixture-')), name);
  await cp(join(unpacked, name), root, { recursive: true });
  const runsRoot = join(root, 'runs');
  const [runId = ''] = readdirSync(runsRoot).filter((entry) => !entry.includes('.'));
  const expected = JSON.parse(readFileSync(join(root, 'expected.json'), 'utf8')) as Expected;
  const definition = async () => {
    const module = (await import(join(root, 'process.mjs'))) as { readonly process: BabysitterProcess };
    return babysitterProcess('../../process.mjs#process', 'unknown', module.process);
  };
  return { name, root, runsRoot, run: { workspaceId: 'local', runId }, expected, definition };
}
