/** The reason why runtimes are not available, or undefined when they are. */
export default {
  identifiers: { whyNot: 'unavailableReason' },
  in: ['libs/service-kit/**', 'services/control-bus/**', 'services/gateway/**'],
};
