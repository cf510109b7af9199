import * as replay from '@reins/replay';

/** `@reins/replay` for processes: errors, and access to the context. */
const { CancelledError, EffectError, ProcessEnded, getActiveProcessContext, requireProcessContext } = replay;

export { CancelledError, EffectError, getActiveProcessContext, ProcessEnded, requireProcessContext };
export default { CancelledError, EffectError, ProcessEnded, getActiveProcessContext, requireProcessContext };
