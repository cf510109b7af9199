import { createServer } from 'node:http';

// Stands in for a service: says when it is ready (at once, or later where a test wants it to), ends when it is asked to, and fails where a test wants it to.
if (process.env.FAIL_WITH) {
  console.error(process.env.FAIL_WITH);
  process.exit(3);
}
const readyAt = performance.now() + Number(process.env.READY_AFTER_MS ?? 0);
createServer((request, response) => {
  const ready = performance.now() >= readyAt;
  response.statusCode = request.url === '/readyz' ? (ready ? 200 : 503) : 404;
  response.end(JSON.stringify({ pid: process.pid, nats: process.env.REINS_NATS_URL }));
}).listen(Number(process.env.PORT), '127.0.0.1');
console.log('service is up');
process.once('SIGTERM', () => {
  console.log('service is asked to end');
  process.exit(0);
});
