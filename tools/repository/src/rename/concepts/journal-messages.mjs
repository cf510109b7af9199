/** Messages of the journal and replay packages that other packages quote: what is wrong, and what to do, in plain words. */
export default {
  texts: {
    'an operator let the run go on': 'an operator resumed the run',
    'see what run:repair-journal would do': 'Preview a repair with run:repair-journal --dry-run.',
    'to go on from before an entry: \\`reins fork': 'continue from an earlier entry with \\`reins fork',
    'nothing of the journal can be kept, so it is left as it is':
      'nothing of the journal can be kept, so it was not changed',
    '/what was written is in tasks\\/.*\\/result.json, and is taken/':
      '/replaced by the original from tasks\\/.*\\/result.json/',
    'run:rebuild-state takes it away': 'remove it with run:rebuild-state',
    'a journal begins with RUN_CREATED': 'the first entry must be RUN_CREATED',
    "'the effect is asked for again'": "'the effect will be requested again'",
    'hand the value on in the definition': 'put the value into the task definition',
    'entries.length}, and no $': 'entries.length}, but not $',
    "'the entries 1 to 2 are gone'": "'entries 1 to 2 are lost'",
    'an action is deny, warn, allow': 'must be one of deny, warn, allow',
    '/^nothing says what stood in entries 2, 3': '/^entries 2, 3 cannot be read or recovered',
    'and nothing beside the journal has it, as of every step': 'and no other file has it \\(steps have no files\\)',
    '/^what the step one came to, in entry 3': '/^the result of step one, in entry 3',
    '/^run:rebuild-state makes it again/': '/^rebuild it .*run:rebuild-state/',
    '/run:rebuild-state makes it again/': '/rebuild it with run:rebuild-state/',
    '/^give it back the name/': '/^restore its original name/',
    'ctx\\.effect asks for no effect of the kind none': 'ctx\\.effect cannot request an effect of the kind none',
  },
};
