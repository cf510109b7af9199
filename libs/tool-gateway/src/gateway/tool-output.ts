/** What a tool of the workspace printed during a call. */
export type ToolOutputListener = (toolId: string, text: string) => void;

/** The most text of one call. */
const MAX_TEXT = 32 * 1024;
/** The most messages of one call: each becomes an event. */
const MAX_MESSAGES = 200;
/** Control characters, except line breaks and tabs: they could change the terminal of a reader. */
const CONTROL = /(?![\n\t])\p{Cc}/gu;

/** A listener for the output of one call, which limits it. */
export function boundedOutput(toolId: string, listener: ToolOutputListener): (text: string) => void {
  let rest = MAX_TEXT;
  let messages = 0;
  return (text) => {
    if (rest <= 0 || text === '') return;
    messages += 1;
    const shown = text.replace(CONTROL, '').slice(0, rest);
    rest = messages === MAX_MESSAGES ? 0 : rest - shown.length;
    const isLast = rest <= 0;
    if (shown.trim() !== '' || isLast) listener(toolId, isLast ? `${shown}\n(more output was omitted)` : shown);
  };
}
