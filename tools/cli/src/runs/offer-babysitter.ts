import { registerHooks } from 'node:module';

const BABYSITTER = '@a5c-ai/babysitter-sdk';

/** From here on process files that were written for babysitter get, in this process, what we offer in its place. */
export function offerBabysitter(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === BABYSITTER
        ? { url: import.meta.resolve('@reins/replay/babysitter'), shortCircuit: true }
        : next(specifier, context),
  });
}
