import type { JsonObject } from '@reins/contracts';

/** The methods of the relay, as Hermes passes them on. */
export const RELAY_PREFIX = '_reins/';
/** What every message has. */
export const V2: JsonObject = { jsonrpc: '2.0' };

/** The request with which every connection starts. Hermes has tools of its own, so it gets none of the client. */
export const INITIALIZE: JsonObject = {
  protocolVersion: 1,
  clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  clientInfo: { name: 'reins', version: '1' },
};
