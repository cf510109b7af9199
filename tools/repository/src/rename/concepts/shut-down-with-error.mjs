/** A service that cannot recover shuts down in order, with exit code 1. */
export default {
  identifiers: { giveUp: 'shutDownWithError' },
  files: { 'libs/service-kit/src/boot/give-up.ts': 'libs/service-kit/src/boot/shut-down-with-error.ts' },
  in: ['libs/service-kit/**', 'services/control-bus/**/control-bus.service.ts', 'services/harness-host/**'],
};
