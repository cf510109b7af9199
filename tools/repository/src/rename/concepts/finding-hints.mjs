/** The hints of a finding are named by their order of precedence: specific, legacy, and the default of its code. */
export default {
  identifiers: { advice: 'specificHint', Advice: 'SpecificHint', advised: 'shownHint' },
  in: ['libs/workspace-plan/src/**/*.ts'],
};
