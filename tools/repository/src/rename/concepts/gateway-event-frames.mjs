/** The gateway sends each event to its clients as a server-sent event frame. */
export default {
  identifiers: { Told: 'EventFrame', toldOf: 'toEventFrame' },
  in: ['services/gateway/src/**/*.ts'],
};
