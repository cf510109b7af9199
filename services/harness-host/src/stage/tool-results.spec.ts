import { describe, expect, test } from '@jest/globals';
import { ToolResults } from './tool-results.ts';

const result = (callId: string, more: object = {}) =>
  ({ adapter: 'pi', phase: 'agent.tool.result', callId, toolId: 'notes.read', output: 'abc', ...more }) as const;

describe('ToolResults', () => {
  test('lists the results with their status, size and signal, without their content', () => {
    const results = new ToolResults();
    results.add(result('c1'), 3);
    results.add({ adapter: 'pi', phase: 'agent.tool.start', callId: 'c2', toolId: 'notes.read' }, 4);
    results.add(result('c2', { output: null, error: 'no such note' }), 5);
    expect(results.results).toEqual([
      { callId: 'c1', toolId: 'notes.read', status: 'completed', bytes: 5, seq: 3 },
      { callId: 'c2', toolId: 'notes.read', status: 'failed', bytes: 14, seq: 5 },
    ]);
    expect(results.omitted).toBe(0);
  });

  test('keeps the newest 20 results, with bounded ids', () => {
    const results = new ToolResults();
    for (let nth = 1; nth <= 25; nth += 1) results.add(result(`c${nth}`.padEnd(1_000, 'x')), nth);
    expect(results.results.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, index) => index + 6));
    expect(results.results[0]?.callId).toHaveLength(100);
    expect(results.omitted).toBe(5);
  });

  test('continues the list of a suspended stage, without what is not a reference', () => {
    const before = new ToolResults();
    before.add(result('c1'), 3);
    const after = new ToolResults();
    after.restore([...before.results.map((each) => ({ ...each })), { callId: 7 }, 'text']);
    after.restore([...before.results.map((each) => ({ ...each, extra: 'x' })), null]);
    expect(after.results).toEqual(before.results);
    new ToolResults().restore('no list');
  });
});
