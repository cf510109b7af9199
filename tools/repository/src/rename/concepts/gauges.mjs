/** Gauges are created like counters and histograms; their value is read at each scrape. */
export default {
  identifiers: { readGauge: 'newGauge', readGauges: 'newLabelledGauge' },
};
