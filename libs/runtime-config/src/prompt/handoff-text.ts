import type { EndedStage, ToolResultRef } from '@reins/contracts';

/**
 * Renders what stages left: their goal, decisions and changed files, their tool calls by reference, and what is open.
 * Empty if they left nothing.
 */
export function handoffText(handoffs: readonly EndedStage[]): string {
  return handoffs.map(stageText).join('\n');
}

function stageText({ stage, runtimeId, requestId, handoff }: EndedStage): string {
  const { toolResults = [], omittedResults = 0, filesChanged = [], omittedFiles = 0 } = handoff;
  const { goal, decisions = [], openQuestions = [], openSteps = [] } = handoff;
  const request = requestId === undefined ? '' : `, earlier request ${requestId}`;
  const older = omittedResults > 0 ? [`- ${omittedResults} older calls`] : [];
  return [
    `Stage ${stage} (${runtimeId}${request}):`,
    ...(goal === undefined ? [] : [`- goal: ${oneLine(goal)}`]),
    ...decisions.map((decision) => `- decided: ${oneLine(decision)}`),
    ...filesChanged.map(({ path, change }) => `- ${change} ${oneLine(path)}`),
    ...(omittedFiles > 0 ? [`- ${omittedFiles} more changed files`] : []),
    ...older,
    ...toolResults.map(resultLine),
    ...openQuestions.map((question) => `- open question: ${oneLine(question)}`),
    ...openSteps.map((step) => `- open step: ${oneLine(step)}`),
  ].join('\n');
}

const resultLine = ({ callId, toolId, status, bytes, seq }: ToolResultRef): string =>
  `- called ${oneLine(toolId)}: ${status}, ${bytes} bytes (call ${oneLine(callId)}, signal ${seq})`;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
