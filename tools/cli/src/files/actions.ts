import { mkdir } from 'node:fs/promises';
import { materialise, type Tree } from '@reins/workspace-tree';
import { stageName, wrongUsage } from '../arguments.ts';
import type { TreeDetail } from '../client/api-types.ts';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { assertCanLookUp } from '../requests/lookup.ts';
import { changedFiles } from '../run/result.ts';
import { findRunDirectory } from '../runs/locate.ts';

export async function checkout(
  context: CliContext,
  id: string,
  dir: string,
  stage: string | undefined,
): Promise<ExitCode> {
  const query = stage ? `?stage=${stageName(stage)}` : '';
  const client = new GatewayClient(gatewayAddress(context));
  const detail = await client.get<TreeDetail>(`/requests/${encodeURIComponent(id)}/tree${query}`);
  const tree: Tree = {
    treeId: detail.tree,
    manifest: new Map(detail.files.map(({ path, mode, sha256, size }) => [path, { mode, sha256, size }])),
    read: (path) => client.bytes(`/trees/${detail.tree}/content?path=${encodeURIComponent(path)}`),
  };
  await mkdir(dir, { recursive: true });
  await materialise(tree, dir);
  if (context.json) printJson(context, { requestId: id, treeId: detail.tree, dir, files: tree.manifest.size });
  else context.note(`wrote tree ${detail.tree.slice(0, 12)} to ${dir} (files: ${tree.manifest.size})`);
  return EXIT.ok;
}

/** `reins diff <request>` */
export async function diffCommand(context: CliContext, id: string): Promise<ExitCode> {
  if (findRunDirectory(context, id, {}))
    throw wrongUsage(`${id} is a run directory, which needs a second run to compare with`, 'Use `reins diff <a> <b>`.');
  assertCanLookUp(context, id, 'REINS_URL');
  const files = await changedFiles(new GatewayClient(gatewayAddress(context)), id);
  if (context.json) printJson(context, files);
  else context.out(files.map(({ path, change }) => `${change.padEnd(8)} ${path}\n`).join('') || 'no files changed\n');
  return EXIT.ok;
}
