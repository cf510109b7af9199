/** A signal is an external event for a run. What an executor reports is an adapter event, as its type says. */
export default {
  identifiers: {
    SignalSink: 'AdapterEventSink',
    SignalWriter: 'AdapterEventWriter',
    SignalPublisher: 'AdapterEventPublisher',
    signalLine: 'adapterEventLine',
    waitForSignal: 'waitForEvent',
  },
};
