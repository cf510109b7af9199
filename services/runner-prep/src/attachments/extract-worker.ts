import { parentPort, workerData } from 'node:worker_threads';
import { extractText, type TextJob } from './extract-text.ts';

/** Extracts one document in its own thread, which limits its memory and time. */
const { bytes, kind, maxChars } = workerData as TextJob;
parentPort?.postMessage(await extractText({ bytes, kind, maxChars }));
