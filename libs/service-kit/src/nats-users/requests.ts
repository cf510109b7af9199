import { type Access, accessOf, PUBLIC_STREAMS, type Work } from './access.ts';
import { GUEST_API, isGuest, type NatsUser, readerNamesOf } from './users.ts';

/** A subject that a user publishes on, and how many replies it gets: one, or a stream of them. */
export interface BusRequest {
  readonly subject: string;
  readonly replies: 'one' | 'many';
}

/** Everything that a user may publish; undefined for the operator, who may publish on every subject. */
export function requestsOf(user: NatsUser, runtimeIds: readonly string[]): readonly BusRequest[] | undefined {
  if (user === 'operator') return undefined;
  if (user === 'subscriber') return [ACCOUNT_INFO, ...PUBLIC_STREAMS.flatMap(readsOf)];
  return distinct(requestsOfAccess(user, accessOf(user, runtimeIds)));
}

function requestsOfAccess(user: NatsUser, { publishes, reads, follows = [], consumes = [], api = [] }: Access) {
  return [
    ACCOUNT_INFO,
    ...publishes.map(one),
    ...[...reads, ...follows].flatMap(readsOf),
    ...follows.flatMap((stream) => readerOf(stream, user)),
    ...consumes.flatMap(consumptionOf),
    ...api.map((request) => one(`$JS.API.${request}`)),
  ];
}

const one = (subject: string): BusRequest => ({ subject, replies: 'one' });
const many = (subject: string): BusRequest => ({ subject, replies: 'many' });

/** Clients ask for it before they use the API. */
const ACCOUNT_INFO = one('$JS.API.INFO');

const readsOf = (stream: string): BusRequest[] => [
  one(`$JS.API.STREAM.INFO.${stream}`),
  one(`$JS.API.STREAM.MSG.GET.${stream}`),
  many(`$JS.API.DIRECT.GET.${stream}`),
  many(`$JS.API.DIRECT.GET.${stream}.>`),
];

/** The subject under which a guest publishes on `subject` of the account of the streams. */
export const guestSubject = (subject: string): string => subject.replace(/^\$JS\.API\./, `${GUEST_API}.`);

/** A stream with the durables of workers; the consumers of its readers have fixed names, which protects the durables. */
export const hasWorkers = (stream: string): boolean => ['EVENTS', 'COMMANDS'].includes(stream);

function readerOf(stream: string, user: NatsUser): BusRequest[] {
  // The name of any other reader is random, so that no other user can guess it.
  const names = isGuest(user) && hasWorkers(stream) ? readerNamesOf(user) : ['*'];
  return names.flatMap((name) => [
    one(`$JS.API.CONSUMER.CREATE.${stream}.${name}`),
    one(`$JS.API.CONSUMER.DELETE.${stream}.${name}`),
    ...pullsOf(stream, name),
  ]);
}

const pullsOf = (stream: string, consumer: string): BusRequest[] => [
  one(`$JS.API.CONSUMER.INFO.${stream}.${consumer}`),
  many(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`),
];

/** Work is acknowledged or dead-lettered, and a message that may have crashed a process gets a mark. */
const consumptionOf = ({ stream, durable, filter }: Work): BusRequest[] => [
  ...pullsOf(stream, durable),
  one(`$JS.ACK.${stream}.${durable}.>`),
  one(`dead.${stream}.${filter}`),
  one(`$KV.claims.crash.${durable}.*`),
];

const distinct = (requests: readonly BusRequest[]): readonly BusRequest[] => [
  ...new Map(requests.map((request) => [request.subject, request])).values(),
];
