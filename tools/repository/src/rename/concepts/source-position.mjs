/** A line and a column in a source text are a position. */
export default {
  in: ['libs/workspace-plan/**'],
  identifiers: {
    Place: 'TextPosition',
    place: 'position',
    placeOf: 'positionOf',
    placeAfterBlanks: 'positionAfterBlanks',
    shown: 'displayPath',
  },
};
