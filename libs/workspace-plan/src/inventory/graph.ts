import type { Path } from '../compile/values.ts';
import { didYouMean } from '../diagnostics/suggest.ts';
import type { GraphEdge } from '../plan.ts';
import type { InventoryEntry } from './documents.ts';
import { END, START } from './shapes.ts';

/** Checks that every edge connects nodes that there are, and that the graph can begin. */
export function checkEdges(entry: InventoryEntry, edges: readonly GraphEdge[], nodes: readonly string[]): void {
  const at: Path = ['spec', 'edges'];
  const beginnings = new Set([START, ...nodes]);
  const ends = new Set([...nodes, END]);
  for (const [index, edge] of edges.entries()) {
    checkEnd(entry, [...at, index, 'from'], edge.from, beginnings);
    checkEnd(entry, [...at, index, 'to'], edge.to, ends);
  }
  if (edges.length > 0 && !edges.some((edge) => edge.from === START)) {
    entry.report.stricter({
      code: 'inventory_reference_unknown',
      at,
      key: true,
      message: `the graph has no beginning: no edge starts at '${START}'`,
    });
  }
}

function checkEnd(entry: InventoryEntry, at: Path, name: string, nodes: ReadonlySet<string>): void {
  if (nodes.has(name)) return;
  entry.report.stricter({
    code: 'inventory_reference_unknown',
    at,
    message: `there is no node '${name}' that the edge could connect`,
    advice: didYouMean(name, () => nodes, `the nodes are ${[...nodes].slice(0, 20).join(', ')}`),
  });
}
