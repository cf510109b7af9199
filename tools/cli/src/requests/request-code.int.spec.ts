import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { WorkspaceProcesses } from '@reins/control-bus/core';
import { EMPTY_HEAD, type EntryDraft, sealEntries } from '@reins/journal';
import { openTrees } from '@reins/service-kit/installation';
import { treeFromEntries } from '@reins/workspace-tree';
import { RequestsSystem } from './testing/requests-system.ts';

let system: RequestsSystem;
beforeAll(async () => {
  system = await RequestsSystem.start();
});
afterAll(() => system.stop());

const FILES = {
  'process/main.ts': `import { next } from '../lib/next.mjs';
    export const ship = async (n: number, ctx: any) => ctx.task({ id: 'ask', build: () => ({ kind: 'node', title: 'Ask ' + next(n) }) }, {});`,
  'lib/next.mjs': 'export const next = (n) => n + 1;',
};

test('the bundle of a request has the code of its revision, and continues in a run directory', async () => {
  const trees = await openTrees(system.bus);
  const tree = treeFromEntries(Object.entries(FILES).map(([path, content]) => ({ path, content })));
  const revision = (await trees.put(tree)).treeId;
  const id = 'process/main.ts#ship';
  const authored = new WorkspaceProcesses(trees);
  const { codeHash } = await authored.runner({ id, revision });
  await authored.close();
  const run = { workspaceId: 'ws', runId: 'shipped' };
  const owner = { workspaceId: 'ws', sessionId: 's', agentId: 'a', revision, session: {}, idempotencyKey: 'k' };
  const created: EntryDraft = { type: 'RUN_CREATED', data: { ...owner, process: { id, codeHash }, inputs: 1 } };
  await system.journals.append(run, { entries: sealEntries(EMPTY_HEAD, [created], NOW), epoch: 0 }, 0);

  const bundle = join(system.folder, 'shipped.json');
  await system.reins('journal', 'export', 'shipped', '-o', bundle);
  const { json: imported } = await system.reins('journal', 'import', bundle);
  expect(imported).toMatchObject({ entries: 1, warnings: [] });
  const { json } = await system.reins('run:iterate', imported.runDir);
  expect(json).toMatchObject({ status: 'waiting', nextActions: [{ taskDef: { title: 'Ask 2' } }] });
  expect((await system.reins('run:verify', imported.runDir)).json).toMatchObject({ ok: true });
  expect((await system.reins('replay', imported.runDir)).json).toMatchObject({ identical: true });
});

const NOW = '2026-01-01T00:00:00.000Z';
