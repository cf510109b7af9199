/** The component that polls the load of streams and consumers for metrics and alarms. */
export default {
  identifiers: { StreamWatch: 'StreamMonitor' },
  files: {
    'libs/service-kit/src/metrics/stream-watch.ts': 'libs/service-kit/src/metrics/stream-monitor.ts',
    'libs/service-kit/src/metrics/stream-watch.int.spec.ts': 'libs/service-kit/src/metrics/stream-monitor.int.spec.ts',
  },
};
