/** What a request waits for, as its fact and the API name it. */
export interface Wait {
  readonly requestId: string;
  readonly reason: string;
  readonly effectId: string;
  /** Name of the signal that the run waits for. */
  readonly signal?: string | undefined;
  /** The number of the question that the run waits for. */
  readonly questionNumber?: number | undefined;
  /** The process that failed, if the run waits for corrected code. */
  readonly process?: string | undefined;
  /** The folder of the workspace, if the caller knows it. */
  readonly dir?: string | undefined;
}

/** The commands that end a wait, for people. Empty for waits that end by themselves. */
export function waitCommands({ requestId, reason, effectId, ...wait }: Wait): string[] {
  switch (reason) {
    case 'breakpoint':
    case 'approval':
      return [
        `reins approvals approve ${requestId} ${effectId}`,
        `reins approvals deny ${requestId} ${effectId} --comment '<why>'`,
      ];
    case 'user':
      return [`reins requests answer ${requestId} ${effectId} '<answer>'${questionOption(wait.questionNumber)}`];
    case 'task':
      return [`reins requests answer ${requestId} ${effectId} '<JSON>'`];
    case 'signal':
      return [
        `reins requests signal ${requestId} ${wait.signal === undefined ? '<name>' : shellWord(wait.signal)} # or with a payload: '<JSON>'`,
      ];
    case 'operator':
      return operatorCommands(requestId, wait);
    case 'process':
      return [`reins run:assign-process ${requestId} --entry '<path>#<export>'`];
    default:
      return [];
  }
}

/** A process with a bug needs corrected code: after a resume, it runs the same code again. */
function operatorCommands(requestId: string, { process, dir = '<dir>' }: Pick<Wait, 'process' | 'dir'>): string[] {
  const resume = `reins requests resume ${requestId}`;
  if (process === undefined) return [resume];
  const folder = dir === '<dir>' ? dir : shellWord(dir);
  return [
    `reins requests assign ${requestId} ${folder} --process ${shellWord(process)} # with the corrected code`,
    `${resume} # with the same code`,
  ];
}

/** The option that makes an answer one to this question only. */
const questionOption = (number: number | undefined): string => (number === undefined ? '' : ` --question ${number}`);

/** A word that a shell reads as one argument. */
const shellWord = (text: string): string =>
  /^[\w./:@%+=,#-]+$/.test(text) && !text.startsWith('#') ? text : `'${text.replaceAll("'", "'\\''")}'`;
