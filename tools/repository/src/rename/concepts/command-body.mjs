/** The fields that every command of an operator has. */
export default {
  identifiers: { Said: 'CommandBody', saidOf: 'commandFieldsOf' },
  in: ['services/control-bus/src/run/**'],
};
