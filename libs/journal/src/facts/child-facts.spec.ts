import { describe, expect, test } from '@jest/globals';
import { type AnyEvent, problemsOfEvent } from '@reins/contracts';
import type { Entry, EntryDraft } from '../entries/entry.ts';
import { CREATED, draft, EXAMPLES, JournalBuilder, requestedDraft } from '../testing/journals.ts';
import { factsOf } from './facts-of.ts';

/** The facts of the last of these entries. */
function factsOfLast(...drafts: EntryDraft[]): AnyEvent[] {
  const journal = new JournalBuilder().add(...drafts);
  const bodies = factsOf(journal.state, journal.entries.at(-1) as Entry).map(({ body }) => body);
  expect(bodies.flatMap((body) => problemsOfEvent(body))).toEqual([]);
  return bodies;
}

describe('a child run', () => {
  const parent = { requestId: 'p', sessionId: 's', agentId: 'main', effectId: 'e0', attempt: 1, depth: 1 };
  const created = (ref: object) => draft('RUN_CREATED', { ...CREATED.data, parent: { ...parent, ...ref } } as never);

  test('names its parent and the root request in its started event', () => {
    expect(factsOfLast(created({}))[0]).toMatchObject({ parent: { ...parent, rootRequestId: 'p' } });
    const nested = { depth: 2, rootRequestId: 'top' };
    expect(factsOfLast(created(nested))[0]).toMatchObject({ parent: { requestId: 'p', rootRequestId: 'top' } });
    expect(factsOfLast(created({ depth: 2 }))[0]).toMatchObject({ parent: { ...parent, depth: 2 } });
    expect(factsOfLast(CREATED)[0]).not.toHaveProperty('parent');
  });

  test('names both in the directives that start its stages', () => {
    const { request } = EXAMPLES.stage;
    const stage = requestedDraft('e1', 'stage', request);
    expect(factsOfLast(created({ depth: 2, rootRequestId: 'top' }), stage).at(-1)).toMatchObject({
      extra: { stage: 'execute', runtime_id: 'pi', parent_request_id: 'p', root_request_id: 'top' },
    });
  });

  test('is named by the directive with which its parent waits', () => {
    const child = requestedDraft('e1', 'child', EXAMPLES.child.request);
    expect(factsOfLast(CREATED, child).at(-1)).toMatchObject({
      directive: 'wait',
      extra: { effect_id: 'e1', attempt: 1, child_request_id: '01CHILD' },
    });
  });
});
