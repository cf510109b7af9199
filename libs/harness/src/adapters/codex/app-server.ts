import type { JsonObject } from '@reins/contracts';

/** The request with which every connection starts. */
export const INITIALIZE: JsonObject = {
  clientInfo: { name: 'reins', title: 'Reins', version: '1' },
  capabilities: { experimentalApi: true, requestAttestation: false },
};
