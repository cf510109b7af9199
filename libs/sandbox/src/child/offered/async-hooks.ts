import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';

/** `node:async_hooks` without the hooks: they would be handed the machine's own objects. */
export { AsyncLocalStorage, AsyncResource };
export default { AsyncLocalStorage, AsyncResource };
