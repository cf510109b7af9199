/** A worker's request that is dead-lettered is answered with a failure. */
export default {
  identifiers: { answerWhenDead: 'answerDeadLetters' },
};
