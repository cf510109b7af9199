import type { EventOf } from '@reins/contracts';
import type { LogEvent } from '../projection/log-event.ts';
import { projection } from '../projection/projection.ts';
import { type RowOf, table } from '../schema/table.ts';

/** Files that a run produced for the user. */
export const ARTIFACTS = table('artifacts', {
  meaning: 'Files that a run produced for the user.',
  key: ['request_id', 'artifact_id'],
  columns: {
    request_id: 'text',
    artifact_id: 'text',
    path: 'text',
    media_type: 'text',
    bytes: 'bigint',
    sha256: 'text',
    ref: 'text',
    created_at: 'timestamptz',
    last_seq: 'bigint',
  },
});
export type ArtifactRow = RowOf<typeof ARTIFACTS>;

export const artifactsProjection = projection({
  table: ARTIFACTS,
  scope: 'request',
  mode: 'upsert',
  evolve: (event) => (event.body.type === 'runtime.artifact.created' ? [artifactRow(event, event.body)] : []),
});

function artifactRow(
  { time, seq }: LogEvent,
  { requestId, artifact }: EventOf<'runtime.artifact.created'>,
): ArtifactRow {
  return {
    request_id: requestId,
    artifact_id: artifact.id,
    path: artifact.path,
    media_type: artifact.mediaType,
    bytes: artifact.bytes,
    sha256: artifact.sha256,
    ref: artifact.ref,
    created_at: time,
    last_seq: seq,
  };
}
