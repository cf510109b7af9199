/** The check of a model's output against the output schema of its run. */
export default {
  identifiers: {
    AnswerForm: 'OutputValidator',
    CheckedAnswer: 'OutputCheck',
    askAgain: 'retryMessage',
    misfitProblem: 'invalidOutputProblem',
  },
  files: {
    'libs/harness/src/structured/answer-form.ts': 'libs/harness/src/structured/output-validator.ts',
    'libs/harness/src/structured/answer-form.spec.ts': 'libs/harness/src/structured/output-validator.spec.ts',
  },
};
