import { about, type Check, TERMINAL } from './common.ts';

/** Maximum number of tries of a run whose journal cannot be used, by one owner. */
const MAX_TRIES = 30;

/** A run that keeps failing is tried after growing delays. */
export const backoff: Check = ({ crowd, server }) =>
  [...server.failedTries]
    .filter(([, tries]) => tries > MAX_TRIES * (crowd.hasCrashes ? 4 : 1))
    .map(([runId, tries]) => about(runId, `it was tried ${tries} times while its journal could not be used`));

/** Maximum time until the request of a well-behaved client starts while others misbehave. */
const MAX_START_MS = 3_000;

/** Misbehaving clients and runs do not delay the others. */
export const fairness: Check = ({ crowd, evidence }) =>
  (crowd.hasCrashes ? [] : crowd.probes).flatMap(({ requestId, submittedAt }) => {
    const started = evidence.events.find(
      (event) => event.requestId === requestId && event.type === 'runtime.request.started',
    );
    const ms = (started?.storedAt ?? Number.POSITIVE_INFINITY) - submittedAt;
    return ms <= MAX_START_MS ? [] : [about(requestId, `it started ${ms} ms after its submission`)];
  });

/** Every accepted signal reaches its run, in order. */
export const floods: Check = ({ crowd, evidence, unsettled }) =>
  crowd.floods.flatMap(({ payloads, requestId }) => {
    const end = evidence.events.find((event) => event.requestId === requestId && TERMINAL.test(event.type));
    const output = JSON.stringify(end?.body?.output);
    const isComplete = output === JSON.stringify(payloads);
    return unsettled !== undefined || isComplete ? [] : [about(requestId, `it received the signals ${output}`)];
  });

/** No run is parked when everything has been handled. */
export const parked: Check = ({ server, unsettled }) =>
  unsettled !== undefined ? [] : [...server.parked.values()].map(({ requestId }) => about(requestId, 'it is parked'));
