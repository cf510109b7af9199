import type { MemoryRecall, MemoryRecallCall } from '@reins/contracts';
import { findCandidates } from './candidates.ts';
import { rank } from './rank.ts';

const LIMIT = 8;

/** Recalls the records that matter most for a query. @param now RFC 3339 */
export async function recall(
  db: Parameters<typeof findCandidates>[0],
  { namespaces, query, limit = LIMIT }: MemoryRecallCall,
  now: string,
): Promise<MemoryRecall> {
  const { weights, candidates } = await findCandidates(db, namespaces, query);
  return { recalled: rank({ text: query, weights }, candidates, now, limit) };
}
