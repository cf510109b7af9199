import { mkdir } from 'node:fs/promises';
import { materialise, type Tree } from '@reins/workspace-tree';
import { stageName } from '../arguments.ts';
import type { TreeDetail } from '../client/api-types.ts';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';

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
