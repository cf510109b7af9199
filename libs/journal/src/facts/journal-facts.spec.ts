import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { emissionId } from '../entries/entry.ts';
import { foldRun } from '../state/apply-entry.ts';
import { journals, RUN } from '../testing/journals.ts';
import { factsOf } from './facts-of.ts';

describe('every emission', () => {
  test('of every journal is a valid event, with an id that follows from its entry and index', () => {
    fc.assert(
      fc.property(journals, (entries) => {
        entries.forEach((entry, at) => {
          const all = factsOf(foldRun(RUN, entries.slice(0, at + 1)), entry);
          all.forEach(({ id, version, body }, index) => {
            expect(id).toBe(emissionId(entry, index));
            expect(version).toBe(entry.version);
            expect(body).toMatchObject({
              requestId: RUN.runId,
              sessionId: 'ses',
              agentId: 'main',
              workspaceId: RUN.workspaceId,
            });
            if (body.type === 'control.directive.emitted')
              expect(body).toMatchObject({ idempotencyKey: id, emittedBy: 'control-bus' });
          });
        });
      }),
      { numRuns: 50 },
    );
  });

  test('of a run includes exactly one terminal fact, at the end', () => {
    fc.assert(
      fc.property(journals, (entries) => {
        const state = foldRun(RUN, entries);
        const terminal = entries
          .flatMap((entry, at) => factsOf(foldRun(RUN, entries.slice(0, at + 1)), entry))
          .filter((emission) => emission.terminal);
        expect(terminal).toHaveLength(state.end ? 1 : 0);
      }),
      { numRuns: 50 },
    );
  });
});
