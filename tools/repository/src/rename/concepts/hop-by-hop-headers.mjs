/** Headers of one connection have the name that HTTP gives them. */
export default {
  in: ['services/harness-host/**'],
  identifiers: {
    OF_THE_CONNECTION: 'HOP_BY_HOP',
    passedHeaders: 'forwardedHeaders',
  },
};
