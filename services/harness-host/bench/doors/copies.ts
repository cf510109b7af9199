import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessSandbox } from '@reins/harness';
import { probe } from '@reins/os-sandbox';
import { SetupCache } from '@reins/tool-gateway';
import { median, rounded, timed } from './measure.ts';

const FILES = 1000;
const BYTES = 4096;
const ROUNDS = 9;
const signal = AbortSignal.timeout(600_000);

/** The median time in which a request gets its copy of a setup with many files. */
async function copies(sandbox: ProcessSandbox | undefined): Promise<number> {
  const root = await mkdtemp(join(tmpdir(), 'reins-bench-'));
  const limits = { maxBytes: 64 * 1024 ** 2, maxAgeMs: 3_600_000 };
  const ports = { path: process.env.PATH ?? '', newToken: () => 'bench', sandbox };
  const cache = new SetupCache({ dir: join(root, 'setups'), ...ports, ...limits });
  const command = `for n in $(seq ${FILES}); do head -c ${BYTES} /dev/zero > $n.bin; done`;
  const times: number[] = [];
  for (let n = 0; n <= ROUNDS; n += 1) {
    const [folder, homeDir] = [join(root, `app-${n}`), join(root, `home-${n}`)];
    await Promise.all([folder, homeDir].map((each) => mkdir(each)));
    await writeFile(join(folder, 'app.mjs'), '');
    const request = { workspaceId: 'ws', appId: 'a', command, environment: {}, folder, tree: folder, homeDir };
    const ms = await timed(async () => {
      if (!(await cache.apply(request, signal))) throw new Error('a setup was not kept');
    });
    // The first one runs the setup.
    if (n > 0) times.push(ms);
  }
  await rm(root, { recursive: true });
  return median(times);
}

/** What the sandbox adds to the copy of a setup. */
export async function sandboxedCopies() {
  const isolation = await probe();
  const plain = await copies(undefined);
  const sandboxed = await copies({ rule: 'required', isolation, hidden: [] });
  return { plainMs: rounded(plain, 1), sandboxedMs: rounded(sandboxed, 1), addedMs: rounded(sandboxed - plain, 1) };
}
