import { describe, expect, it } from '@jest/globals';
import { parsePasswd } from './account.ts';

describe('parsing a passwd file', () => {
  it('returns accounts with numeric ids, except root under any name', () => {
    const text = [
      'root:x:0:0:root:/root:/bin/sh',
      'toor:x:0:0::/root:/bin/sh',
      '# a comment',
      'postgres:x:101:104:PostgreSQL,,,:/var/lib/postgresql:/bin/bash',
      'broken:x:abc:1::/:/bin/sh',
      'short:x',
      '',
    ].join('\n');
    expect([...parsePasswd(text)]).toEqual([['postgres', { uid: 101, gid: 104 }]]);
  });
});
