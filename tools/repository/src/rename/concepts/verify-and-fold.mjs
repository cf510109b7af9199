/** A function is named by what it does. */
export default {
  identifiers: { verifiedFold: 'verifyAndFold' },
};
