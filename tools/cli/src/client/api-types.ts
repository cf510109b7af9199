import type { JsonValue } from '@reins/contracts';

/** What `GET /requests/{id}` answers, as far as the command line reads it. */
export interface RequestDetail {
  readonly requestId: string;
  readonly workspaceId: string;
  readonly sessionId: string;
  readonly status: string;
  readonly revision?: string;
  readonly output?: JsonValue;
  readonly error?: { readonly code: string; readonly message: string };
  readonly stages: readonly StageRunDetail[];
}

export interface StageRunDetail {
  readonly stage: string;
  readonly runtimeId: string;
  readonly runtimeSource: string | null;
  readonly attempt: number;
  readonly status: string;
  readonly tree?: string | null;
  readonly startedAt?: string | null;
  readonly endedAt?: string | null;
}

/** What `GET /requests/{id}/tree` answers: a tree's manifest. */
export interface TreeDetail {
  readonly treeId: string;
  readonly files: Readonly<
    Record<string, { readonly sha256: string; readonly size: number; readonly mode: '644' | '755' | 'link' }>
  >;
}
