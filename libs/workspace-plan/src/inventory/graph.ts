import type { Path } from '../compile/values.ts';
import { didYouMean } from '../diagnostics/suggest.ts';
import type { GraphEdge } from '../plan.ts';
import type { InventoryEntry } from './documents.ts';
import { END, START } from './shapes.ts';

/** Checks that every edge connects existing nodes, and that an edge starts at `START`. */
export function checkEdges(entry: InventoryEntry, edges: readonly GraphEdge[], nodes: readonly string[]): void {
  const at: Path = ['spec', 'edges'];
  const sources = new Set([START, ...nodes]);
  const targets = new Set([...nodes, END]);
  for (const [index, edge] of edges.entries()) {
    checkEnd(entry, [...at, index, 'from'], edge.from, sources);
    checkEnd(entry, [...at, index, 'to'], edge.to, targets);
  }
  if (edges.length > 0 && !edges.some((edge) => edge.from === START)) {
    entry.report.strictError({
      code: 'inventory_reference_unknown',
      at,
      pointsAtKey: true,
      message: `the graph has no edge from '${START}'`,
    });
  }
}

function checkEnd(entry: InventoryEntry, at: Path, name: string, nodes: ReadonlySet<string>): void {
  if (nodes.has(name)) return;
  entry.report.strictError({
    code: 'inventory_reference_unknown',
    at,
    message: `unknown node '${name}' in an edge`,
    specificHint: didYouMean(name, () => nodes, `use one of: ${[...nodes].slice(0, 20).join(', ')}`),
  });
}
