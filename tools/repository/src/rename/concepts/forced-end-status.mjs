/** How an operator ends a run: a seal is something else (the hash chain seals entries). */
export default {
  identifiers: { Seal: 'ForcedEndStatus' },
};
