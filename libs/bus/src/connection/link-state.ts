export type LinkState = 'connected' | 'disconnected' | 'closed';

/** The state of a connection to NATS. */
export interface ConnectionState {
  readonly state: LinkState;
  /** Calls the listener on every change of the state. Returns a function that removes the listener. */
  onState(listener: (state: LinkState) => void): () => void;
}
