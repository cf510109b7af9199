/** Table headers are the keys of the JSON output. The documents that show CLI output follow it. */
export default {
  texts: {
    'stage      runtime_id   source   attempt  status\n---------  -----------  -------  -------  ---------\n':
      'stage      runtime_id   runtime_source  attempt  status\n---------  -----------  --------------  -------  ---------\n',
    'stage      runtime_id   source   healthy  version\n---------  -----------  -------  -------  -------\n':
      'stage      runtime_id   runtime_source  healthy  version\n---------  -----------  --------------  -------  -------\n',
    'openai_chat  default  1  ': 'openai_chat  default         1  ',
    'openai_chat  default  yes  ': 'openai_chat  default         yes  ',
    'pi           stage    1  ': 'pi           stage           1  ',
    'pi           stage    yes  ': 'pi           stage           yes  ',
    'survives the loss of any process, not of the disk; …': 'survives the loss of any process, but not of the disk; …',
  },
  in: ['README.md', 'docs/**/*.md'],
};
