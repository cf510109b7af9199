/** Ends the process with one message on a Node that cannot run the setup. Import this module first. */
const NEEDED_MAJOR = 20;
if (Number(process.versions.node.split('.')[0]) < NEEDED_MAJOR) {
  console.error(
    `Reins needs Node ${NEEDED_MAJOR} or newer to set itself up (got ${process.version}). ` +
      'Install a current one from https://nodejs.org. npm then installs the Node 24 that Reins runs on.',
  );
  process.exit(1);
}
