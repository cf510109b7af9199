import { openDatabase } from '@reins/store';
import { collectEvidence } from '../evidence/collect.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { Observer } from '../evidence/observer.ts';
import { connectOperator } from '../system/connect.ts';
import type { RunningSystem } from '../system/start.ts';

/** The evidence of a running system, without HTTP. */
export async function evidenceOf({ system, gateway }: RunningSystem): Promise<Evidence> {
  const observer = await Observer.connect(system);
  const bus = await connectOperator(system, 'evidence');
  const db = openDatabase({ url: system.databaseUrl });
  try {
    return await collectEvidence({ observer, bus, db, gateway }, []);
  } finally {
    await Promise.all([observer.close(), bus.close(), db.destroy()]);
  }
}
