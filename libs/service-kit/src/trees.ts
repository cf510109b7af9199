import { type Bus, KeyedBlobs } from '@reins/bus';
import { TreeStore } from '@reins/workspace-tree';

/** Opens the store of workspace trees in the blob store of the bus. */
export async function openTrees(bus: Bus): Promise<TreeStore> {
  return new TreeStore(await KeyedBlobs.open(bus));
}
