/** Help texts of metrics: what is counted, in standard terms. */
export default {
  texts: {
    'Messages of the bus by type and by what became of them: done, failed (they come again) or dead':
      'Bus messages by type and outcome: done, failed (will be retried) or dead',
    'Messages that came another time': 'Redelivered messages',
    'Messages sent and not acknowledged yet': 'Messages sent and not yet acknowledged',
    'Messages that wait for room in the publish window': 'Messages waiting for room in the publish window',
    'Requests that this process saw begin and not end': 'Requests that this process saw start and not end',
    'Clients that are being streamed to': 'Clients with an open event stream',
    'Runs in the memory of this replica': 'Runs held in memory by this replica',
    'Messages of a stream, as its leader tells': 'Messages in a stream, as reported by its leader',
    'Bytes of a stream, as its leader tells': 'Bytes in a stream, as reported by its leader',
    'How much of what a stream that refuses what does not fit, or the account, may hold is used; absent where nothing bounds it':
      'Used share of the limit of the account, or of a stream that rejects new messages when full; absent without a limit',
    'Messages that wait for a consumer, as its leader tells':
      'Messages waiting for a consumer, as reported by its leader',
    'Messages that were handed out and are not acknowledged, as the leader tells':
      'Messages delivered and not yet acknowledged, as reported by the leader',
    'Stages that run: places taken, each under a claim': 'Running stages: slots in use, each with a claim',
    'Claims that this host keeps alive: on stages that run, and on ones that wait beside':
      'Claims that this host keeps alive, for running and for waiting stages',
    'Messages of the log not projected yet': 'Messages of the event log not yet projected',
    'Age of the oldest message that is not projected yet': 'Age of the oldest message not yet projected',
    'Messages of the log by what became of them: applied, duplicate or unreadable':
      'Messages of the event log by outcome: applied, duplicate or unreadable',
    'Times that the log no longer had what came next': 'Gaps: the event log no longer had the next message',
    'Stages that this host may run at once': 'Maximum number of concurrent stages of this host',
    'stages that this host may run at once': 'maximum number of concurrent stages of this host',
    'Time of one transaction': 'Duration of one transaction',
  },
};
