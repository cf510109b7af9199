import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Registry } from 'prom-client';
import { METRICS, newHistogram } from './metrics.ts';
import { SeriesHistogram } from './series-histogram.ts';

const VALUE = fc.record({
  type: fc.constantFrom('a', 'b'),
  seconds: fc.oneof(fc.double({ min: 0, max: 4_000, noNaN: true }), fc.constantFrom(0.001, 0.25, 1800)),
});

test('exports the same output as the histogram of prom-client', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(VALUE), async (values) => {
      const [ours, theirs] = [new Registry(), new Registry()];
      for (const registry of [ours, theirs]) registry.setDefaultLabels({ service: 'x' });
      const histogram = new SeriesHistogram(ours, METRICS.messageSeconds);
      const reference = newHistogram(theirs, METRICS.messageSeconds);
      const series = new Map<string, ReturnType<SeriesHistogram['series']>>();
      for (const { type, seconds } of values) {
        const labels = { type, outcome: 'done' };
        const of = series.get(type) ?? histogram.series(labels);
        series.set(type, of);
        of.observe(seconds);
        reference.observe(labels, seconds);
      }
      expect(lines(await ours.metrics())).toEqual(lines(await theirs.metrics()));
      expect(await ours.getMetricsAsJSON()).toHaveLength(1);
    }),
    { numRuns: 30 },
  );
});

/** Normalises the order of lines and labels, which has no meaning. */
const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/\{(.*)\}/, (_, labels: string) => `{${labels.split(',').sort().join()}}`))
    .sort();
