import { type Problem, problemOf } from '@reins/contracts';
import { decodeCommit } from '../entries/commit-codec.ts';
import type { Steps } from '../verify/steps.ts';
import type { Commit } from './journal-store.ts';
import type { StreamMessage } from './stream-port.ts';

/** A message of a journal's subject: its commit, or the reason why it has none. */
export type StoredCommit =
  | (Commit & { readonly seq: number })
  | { readonly seq: number; readonly entries?: undefined; readonly problem: Problem };

/** Decodes the commits in these messages; yields once per entry. */
export function* decodingSteps(messages: readonly StreamMessage[]): Steps<StoredCommit[]> {
  const commits: StoredCommit[] = [];
  for (const message of messages) {
    const commit = commitIn(message);
    commits.push(commit);
    for (const _ of commit.entries ?? [message]) yield;
  }
  return commits;
}

function commitIn({ seq, data, problem }: StreamMessage): StoredCommit {
  if (problem) return { seq, problem };
  try {
    return { seq, ...decodeCommit(data, `commit at sequence ${seq}`) };
  } catch (error) {
    return { seq, problem: problemOf(error) };
  }
}
