/** "Handler" means a function that handles a message; what is called when a lease is won or lost is a callback. */
export default {
  identifiers: { LeaseHandlers: 'LeaseCallbacks', handlers: 'callbacks' },
  in: [
    'libs/bus/src/partitions/**',
    'libs/bus/src/index.ts',
    'services/control-bus/**/control-bus.service.ts',
    'services/control-bus/**/bus-owner.ts',
  ],
};
