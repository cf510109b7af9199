import { findNatsServer, installNatsServer, postgresVersion } from '@reins/embedded';

/** Finds or installs a server: `server.mjs nats|postgres <state folder>`. The last line of its output is the result as JSON. */
const [server, stateDir] = process.argv.slice(2);
try {
  console.log(JSON.stringify(await (server === 'nats' ? nats() : postgres())));
} catch (error) {
  console.error([error.code, error.message, error.hint].filter(Boolean).join('\n'));
  process.exitCode = 1;
}

async function nats() {
  const found = await findNatsServer({
    stateDir,
    setting: process.env.REINS_NATS_SERVER,
    path: process.env.PATH ?? '',
  });
  if (found) return { did: `found, ${found.version} (${found.binary})` };
  const { version, binary, bytes } = await installNatsServer({
    stateDir,
    onProgress: (message) => console.log(message),
  });
  return { did: `installed, ${version} (${binary})`, installed: true, bytes };
}

async function postgres() {
  return { did: `found, ${await postgresVersion()}` };
}
