/** What a check passes to a report is the input of a finding. */
export default {
  in: ['libs/workspace-plan/**'],
  identifiers: { Note: 'FindingInput', note: 'finding' },
};
