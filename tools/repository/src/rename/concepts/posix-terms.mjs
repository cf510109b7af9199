/** The terms of POSIX for the folder of a process and of a user, and the usual spelling of the noun "setup". */
export default {
  texts: {
    'working folder': 'working directory',
    'home folder': 'home directory',
    'set-up': 'setup',
    'Set-up': 'Setup',
  },
};
