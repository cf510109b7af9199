import type { EndedStage, ToolResultRef } from '@reins/contracts';

/** Renders what stages left: their tool calls by reference, and their open steps. Empty if they left nothing. */
export function handoffText(handoffs: readonly EndedStage[]): string {
  return handoffs.map(stageText).join('\n');
}

function stageText({ stage, runtimeId, requestId, handoff }: EndedStage): string {
  const { toolResults = [], omittedResults = 0, openSteps = [] } = handoff;
  const request = requestId === undefined ? '' : `, earlier request ${requestId}`;
  const older = omittedResults > 0 ? [`- ${omittedResults} older calls`] : [];
  return [
    `Stage ${stage} (${runtimeId}${request}):`,
    ...older,
    ...toolResults.map(resultLine),
    ...openSteps.map((step) => `- open step: ${oneLine(step)}`),
  ].join('\n');
}

const resultLine = ({ callId, toolId, status, bytes, seq }: ToolResultRef): string =>
  `- called ${oneLine(toolId)}: ${status}, ${bytes} bytes (call ${oneLine(callId)}, signal ${seq})`;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
