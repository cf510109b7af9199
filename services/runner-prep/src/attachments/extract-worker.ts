import { parentPort, workerData } from 'node:worker_threads';
import { extractText, type TextJob } from './extract-text.ts';

/** One document, one thread: what it does to its memory and its time, it does here. */
const { bytes, kind, maxChars } = workerData as TextJob;
parentPort?.postMessage(await extractText({ bytes, kind, maxChars }));
