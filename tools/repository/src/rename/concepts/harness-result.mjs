/** An execution returns a result; a process exits. `end` named the event as well as the value. */
export default {
  identifiers: {
    HarnessEnd: 'HarnessResult',
    EndExtras: 'ResultExtras',
    failedEnd: 'failedResult',
    expiredEnd: 'timedOutResult',
    unknownEnd: 'unknownResult',
    lostEnd: 'executorLostResult',
    OkEnd: 'OkResult',
    ProcessEnd: 'ProcessExit',
  },
  in: ['libs/harness/**', 'libs/tool-gateway/**', 'services/harness-host/**'],
};
