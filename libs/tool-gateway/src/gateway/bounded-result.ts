import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';

const MAX_TEXT = 256 * 1024;
const MAX_BINARY = 6 * 1024 * 1024;
const MAX_BLOCKS = 100;

/** Limits the size of a result for the model and the event log. Truncated or omitted parts are marked. */
export function boundedResult(result: CallToolResult): CallToolResult {
  const { content, structuredContent, isError } = result;
  const blocks = content.slice(0, MAX_BLOCKS).map(boundedBlock);
  if (content.length > MAX_BLOCKS) blocks.push(note(`${content.length - MAX_BLOCKS} more parts were omitted`));
  // A result with only structured content is passed on as text.
  if (blocks.length === 0 && structuredContent !== undefined)
    blocks.push(boundedBlock({ type: 'text', text: JSON.stringify(structuredContent) }));
  return { content: blocks, ...(isError === true && { isError }) };
}

function boundedBlock(block: ContentBlock): ContentBlock {
  if (block.type === 'text') {
    if (block.text.length <= MAX_TEXT) return { type: 'text', text: block.text };
    return note(`${block.text.slice(0, MAX_TEXT)}\n(truncated after ${MAX_TEXT} of ${block.text.length} characters)`);
  }
  const size = JSON.stringify(block).length;
  return size <= MAX_BINARY ? block : note(`(a part of type ${block.type} with ${size} bytes was omitted)`);
}

const note = (text: string): ContentBlock => ({ type: 'text', text });
