/** A redelivered message is suspected to be a poison message until its handler has recorded what it does. */
export default {
  identifiers: { absolve: 'clearPoisonSuspicion' },
  texts: { "'absolve'": "'clearPoisonSuspicion'" },
};
