/**
 * A process that appends to a run directory until it is killed or has made the given number of commits, one in three
 * with a large value: `node writer.ts <root> <runId> <seed> [commits] [fault] [at]`. It prints the position of each
 * acknowledged commit and, at the end, the number of writes.
 */

import { writeSync } from 'node:fs';
import { type EntryDraft, offloadLargeValues, sealEntries } from '@reins/journal';
import { RunDirectoryStore } from '../store/run-directory-store.ts';
import { RunBlobs } from '../values/run-blobs.ts';
import { armFault, type Fault } from './faulty-fs.ts';

const [root = '', runId = '', seed = '1', commits = 'Infinity', fault = 'before', at = 'Infinity'] =
  process.argv.slice(2);
const run = { workspaceId: 'ws', runId };
const store = new RunDirectoryStore(root);
const blobs = new RunBlobs(store.pathsOf(run));

const created: EntryDraft = {
  type: 'RUN_CREATED',
  data: {
    workspaceId: 'ws',
    sessionId: 's',
    agentId: 'a',
    revision: '0'.repeat(64),
    process: { id: 'p', codeHash: 'c' },
    inputs: null,
    session: {},
    idempotencyKey: 'k',
  },
};

/** A request that is too large for the journal. */
const asked = (n: number, version: number): EntryDraft => ({
  type: 'EFFECT_REQUESTED',
  data: {
    effectId: `e${version}`,
    kind: 'task',
    attempt: 1,
    key: `task:${version}`,
    argsHash: '0'.repeat(64),
    request: { kind: 'node', taskId: 't', args: `${n} `.padEnd(70_000, 'x') },
    limits: { startWithinMs: 1000, runForMs: 1000, maxAttempts: 1, onUnknown: 'fail' },
  },
});

const writes = armFault(fault as Fault, Number(at));
let { head, position } = await store.load(run);
for (let n = Number(seed); n < Number(seed) + Number(commits); n += 1) {
  const lines: EntryDraft[] = Array.from({ length: 1 + (n % 3) }, (_, i) => ({
    type: 'PROCESS_LOG',
    data: { message: [n, i] },
  }));
  const drafts = [...(position === 0 ? [created] : []), ...(n % 3 === 1 ? [asked(n, position)] : []), ...lines];
  await store.exclusively(run, 'writer', async () => {
    const entries = sealEntries(head, await offloadLargeValues(drafts, blobs), new Date().toISOString());
    const answer = await store.append(run, { entries, epoch: 0 }, position);
    if (answer.outcome === 'fenced') ({ head, position } = await store.load(run));
    else {
      const last = entries.at(-1);
      head = { version: last?.version ?? 0, hash: last?.hash ?? '' };
      position = answer.position;
      writeSync(1, `${position} ${head.hash}\n`);
    }
  });
}
writeSync(1, `${writes()} writes\n`);
