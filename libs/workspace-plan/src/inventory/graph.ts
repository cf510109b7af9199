import type { Path } from '../compile/values.ts';
import { nearest } from '../diagnostics/suggest.ts';
import type { GraphEdge } from '../plan.ts';
import type { InventoryEntry } from './documents.ts';
import { END, START } from './shapes.ts';

/** Checks that every edge connects nodes that there are, and that the graph can begin. */
export function checkEdges(entry: InventoryEntry, edges: readonly GraphEdge[], nodes: readonly string[]): void {
  const at: Path = ['spec', 'edges'];
  for (const [index, edge] of edges.entries()) {
    checkEnd(entry, [...at, index, 'from'], edge.from, [START, ...nodes]);
    checkEnd(entry, [...at, index, 'to'], edge.to, [...nodes, END]);
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

function checkEnd(entry: InventoryEntry, at: Path, name: string, nodes: readonly string[]): void {
  if (nodes.includes(name)) return;
  const meant = nearest(name, nodes);
  entry.report.stricter({
    code: 'inventory_reference_unknown',
    at,
    message: `there is no node '${name}' that the edge could connect`,
    advice: meant ? `did you mean '${meant}'?` : `the nodes are ${nodes.join(', ')}`,
  });
}
