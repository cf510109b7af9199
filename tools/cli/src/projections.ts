import type { DatabaseSettings } from '@reins/service-kit/installation';
import { type Database, openDatabase as open } from '@reins/store';

export { formatReport, REBUILD_SUBJECT, type RebuildEvent, verifyProjections } from '@reins/projector';
export { readProjectionPosition } from '@reins/store';

/** Opens the read model with a single connection. */
export function openDatabase({ url }: DatabaseSettings): Database {
  return open({ url, name: 'reins-cli', maxConnections: 1, onConnectionError: () => {} });
}
