/** The takeover of an inbox only verifies a lease. */
export default {
  identifiers: { LeaseBook: 'LeaseVerifier' },
};
