import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';

// Stands in for a service: says when it is ready (at once, or as long as there is a file where a test wants it to), ends when it is asked to (at once, or when there is such a file), and fails where a test wants it to.
if (process.env.FAIL_WITH) {
  console.error(process.env.FAIL_WITH);
  process.exit(3);
}
const { READY_WHILE, FAIL_WHEN, END_WHEN } = process.env;
if (FAIL_WHEN) {
  setInterval(() => {
    if (!existsSync(FAIL_WHEN)) return;
    const reason = readFileSync(FAIL_WHEN, 'utf8');
    if (reason === '') return;
    console.error(reason);
    process.exit(3);
  }, 20);
}
createServer((request, response) => {
  const ready = READY_WHILE === undefined || existsSync(READY_WHILE);
  response.statusCode = request.url === '/readyz' ? (ready ? 200 : 503) : 404;
  response.end(JSON.stringify({ pid: process.pid, nats: process.env.REINS_NATS_URL }));
}).listen(Number(process.env.PORT), '127.0.0.1');
console.log('service is up');
process.once('SIGTERM', () => {
  console.log('service is asked to end');
  const endIfAllowed = () => {
    if (END_WHEN === undefined || existsSync(END_WHEN)) process.exit(0);
  };
  setInterval(endIfAllowed, 20);
  endIfAllowed();
});
