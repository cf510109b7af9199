/** The notes of an agent. They are part of the tree, which persists between the requests of a session. */
export const SCRATCHPAD = '.reins/scratchpad.md';
