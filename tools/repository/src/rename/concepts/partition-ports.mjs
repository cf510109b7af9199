/** The ports of a partition; its owner adds the lease, the live-run index, the archiver and checkpoints. */
export default {
  identifiers: {
    BarePorts: 'SharedPartitionPorts',
    OwnedParts: 'OwnerServices',
    InboxUse: 'InboxConsumerOptions',
    takeInbox: 'takeOverInbox',
    inboxGone: 'onInboxLost',
    callOff: 'cancel',
    isAtRest: 'isQuiescent',
    folded: 'foldWithReaction',
    SessionTurnTaken: 'SessionTurnResult',
  },
  in: ['services/control-bus/**', 'tools/simulation/**', 'tools/cli/src/requests/**'],
};
