/** The audience of a run, by session kind. */
export const SESSION_KIND_TEXT: Readonly<Record<string, string>> = {
  workspace_session: `A person works with you in this session. They see your answer and may reply to it.`,
  onboarding: `This session sets up the workspace with its owner. Ask for what is missing, record what is decided, and change nothing else.`,
  task_proposal: `No one watches this session. Do the proposed task alone, and leave a result that can be reviewed later.`,
  subagent: `Another agent gave you this task and reads your answer. Answer that agent; do not address a person.`,
};
