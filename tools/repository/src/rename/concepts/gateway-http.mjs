/** Names of the HTTP edge that said what somebody does or hears, and not what the thing is. */
export default {
  identifiers: {
    Said: 'CommandBody',
    isOver: 'isClosed',
    answerProblem: 'sendProblem',
    CallPipe: 'RequestValidationPipe',
    AsGiven: 'Untransformed',
    IDEMPOTENT: 'IDEMPOTENCY_HEADER',
    Sending: 'SendOptions',
    ApiAnswer: 'ApiResult',
  },
  in: ['services/gateway/src/**/*.ts'],
};
