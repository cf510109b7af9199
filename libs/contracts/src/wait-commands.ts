/** What a request waits for, as its fact and the API name it. */
export interface Wait {
  readonly requestId: string;
  readonly reason: string;
  readonly effectId: string;
  /** Name of the signal that the run waits for. */
  readonly signal?: string | undefined;
  /** The number of the question that the run waits for. */
  readonly questionNumber?: number | undefined;
}

/** The commands that end a wait, for people. Empty for waits that end by themselves. */
export function waitCommands({ requestId, reason, effectId, signal, questionNumber }: Wait): string[] {
  switch (reason) {
    case 'breakpoint':
    case 'approval':
      return [
        `reins approvals approve ${requestId} ${effectId}`,
        `reins approvals deny ${requestId} ${effectId} --comment '<why>'`,
      ];
    case 'user':
      return [`reins requests answer ${requestId} ${effectId} '<answer>'${questionOption(questionNumber)}`];
    case 'signal':
      return [`reins requests signal ${requestId} ${signal === undefined ? '<name>' : shellWord(signal)}`];
    case 'operator':
      return [`reins requests resume ${requestId}`];
    case 'process':
      return [`reins run:assign-process ${requestId} --entry '<path>#<export>'`];
    default:
      return [];
  }
}

/** The option that makes an answer one to this question only. */
const questionOption = (number: number | undefined): string => (number === undefined ? '' : ` --question ${number}`);

/** A word that a shell reads as one argument. */
const shellWord = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
