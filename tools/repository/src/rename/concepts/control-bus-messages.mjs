/** Error messages and hints of the control bus that other packages and documents repeat. */
export default {
  texts: {
    '01M7YT336HTSGG95SP69S522JE has been sent 1000 signals that its process did not wait for; go is not kept':
      'signal go rejected: 01M7YT336HTSGG95SP69S522JE already has 1000 signals that its process has not consumed',
    'redrive it once the process waits for signals again': 'Redrive it when the process waits for signals again.',
    'the process waits for something that its context did not give it; outside work goes through ctx.task or ctx.step':
      'the process waits for a promise that does not come from its context; use ctx.task or ctx.step for work outside the process',
    "hint: 'fork at an earlier entry'": "hint: 'Fork at an earlier entry.'",
  },
  in: ['docs/**', 'tools/cli/src/**', 'services/control-bus/**'],
};
