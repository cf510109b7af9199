import { type Bus, KeyedBlobs } from '@reins/bus';
import { TreeStore } from '@reins/workspace-tree';

/** The trees of the installation, in the bus's blobs. */
export async function openTrees(bus: Bus): Promise<TreeStore> {
  return new TreeStore(await KeyedBlobs.open(bus));
}
