/** Words that the project does not use, each with the term that it uses instead. `pattern` is case-insensitive. */
export const WORDS = [
  { pattern: 'told|tell|tells|telling|teller', say: 'publish (a fact), emit (a signal), report, say' },
  { pattern: 'beside|besides', say: 'next to, alongside, compared with, as well as' },
  { pattern: 'nobody', say: 'unowned, no consumer, no one' },
  { pattern: 'mend|mends|mended|mending', say: 'fix, repair (a journal), remedy' },
  { pattern: 'lawful|unlawful', say: 'valid, invalid' },
  { pattern: 'stillborn', say: 'rejected' },
  { pattern: 'bury|buried|buries|set aside', say: 'dead-letter' },
  { pattern: 'absolve|absolves|absolved', say: 'clear (a suspicion)' },
  { pattern: 'owe|owes|owed|owing', say: 'outstanding, pending' },
  { pattern: 'ghost|ghosts|sighting|sightings', say: 'stale (presence record)' },
  { pattern: 'let go|lets go|letting go', say: 'abandon, release, cancel' },
  { pattern: 'by hand', say: 'by an operator, manually' },
  { pattern: 'circumstances', say: 'decision context, conditions' },
  { pattern: 'whoever|whosoever|whom|wherever|whence|thereof|hereby|anew|midst|aught|nought', say: 'plain words' },
  { pattern: '(this|that|it|which|what|who|they|these) (is|are) (no|none)(?! longer)', say: 'is not a …, invalid' },
  {
    pattern: 'held against|holds? against|in the order in which|made good|takes? for',
    say: 'compare with, in … order',
  },
  { pattern: 'desk', say: 'stage workspace' },
  { pattern: 'asker', say: 'request multiplexer' },
  { pattern: 'sift|sifts|sifted', say: 'classify' },
  { pattern: 'could not be found out', say: 'unknown outcome' },
];

/** Exceptions: persisted or public names, and example data. */
export const ALLOWED = [
  // The value `told` of `sealed`, the crash point `facts.told`, and the JSON fields `told`, `owed` and `mend`.
  /["'`](facts\.)?(told|owed|mend)["'`]|\b(told|owed|mend)\??:|\.(told|owed|mend)\b|\b(told|owed|mend)(?=[,\s]*[})\]])|\{ ?owed\b/g,
  // The account of Unix.
  /[`'"]nobody[`'"]/g,
  // Examples, and texts that models read.
  /(inventory|release|support|help|front)[- ]?desk|\bdesk (agent|clerk)|(translation|inventory) desk/gi,
  /nobody wanted it|Tells how far the setting up|wherever you came across|They are no tools|nobody works unless/g,
];
