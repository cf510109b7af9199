/** An observer of the bus runs each handler in a context, from which log lines take their ids. */
export default {
  identifiers: { around: 'runInContext' },
  in: ['libs/bus/**', 'libs/service-kit/**', 'services/control-bus/**'],
};
