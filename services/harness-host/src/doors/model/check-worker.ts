import { parentPort } from 'node:worker_threads';
import { checkCall, type ReceivedCall } from './check-call.ts';

/** The worker thread of a `CallChecker`. */
parentPort?.on('message', (call: ReceivedCall) => parentPort?.postMessage(checkCall(call)));
