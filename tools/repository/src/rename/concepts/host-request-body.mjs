/** A host request without its `run_started_payload`, which holds the fingerprint of the rest. */
export default {
  identifiers: { UnmarkedHostRequest: 'HostRequestBody', unmarkedRequest: 'hostRequestBody' },
};
