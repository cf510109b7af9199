import type { AnyEvent } from '@reins/contracts';

/** An event of the log, as a provider sees it. */
export interface SourceEvent {
  readonly id: string;
  readonly type: string;
  /** RFC 3339. */
  readonly time: string;
  readonly body: AnyEvent;
}

/** What a provider says. */
export interface Narration {
  readonly message: string;
  /** The model that wrote it, where one did. */
  readonly model?: string;
}

/**
 * Says in a sentence what an event means for who watches; undefined where there is nothing to say. It only ever reads: whatever it
 * says or fails to say changes nothing. A module of the installation (setting `narration.providers`) exports one as its default.
 */
export interface NarrationProvider {
  narrate(
    event: SourceEvent,
    options: { readonly style?: string; readonly signal: AbortSignal },
  ): Narration | undefined | Promise<Narration | undefined>;
}
