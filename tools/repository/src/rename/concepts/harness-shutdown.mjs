/** How a process is stopped: by its protocol, SIGTERM, SIGKILL, each with a timeout. */
export default {
  identifiers: {
    Ladder: 'ShutdownTimeouts',
    ladder: 'shutdownTimeouts',
    LADDER: 'SHUTDOWN_TIMEOUTS',
    askByProtocol: 'requestStop',
    goneWithin: 'exitsWithin',
    mayLeaveFolder: 'allowOutsideWorkDir',
  },
  in: ['libs/harness/**', 'libs/tool-gateway/**', 'services/harness-host/**'],
};
