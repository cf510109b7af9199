/** The function polls until the read model shows the end of a request. */
export default { identifiers: { endedResult: 'waitForFinalResult' } };
