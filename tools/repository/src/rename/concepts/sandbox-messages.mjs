/** What a child of the sandbox sends to its owner is a message: a turn as it travels. "Told" did not say so. */
export default {
  identifiers: { ToldTurn: 'TurnMessage' },
};
