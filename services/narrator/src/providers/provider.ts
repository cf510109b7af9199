import type { AnyEvent } from '@reins/contracts';

/** An event as passed to a provider. */
export interface SourceEvent {
  readonly id: string;
  readonly type: string;
  /** RFC 3339. */
  readonly time: string;
  readonly body: AnyEvent;
}

/** The result of a provider. */
export interface Narration {
  readonly message: string;
  /** The model that wrote the message, if any. */
  readonly model?: string;
}

/**
 * Describes an event in one sentence for an observer, or returns undefined to skip it. It has no effect on the run. A
 * module of the installation (setting `narration.providers`) exports a provider as its default.
 */
export interface NarrationProvider {
  narrate(
    event: SourceEvent,
    options: { readonly style?: string; readonly signal: AbortSignal },
  ): Narration | undefined | Promise<Narration | undefined>;
}
