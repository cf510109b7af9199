import { expect, test } from '@jest/globals';
import { scriptOf } from './shell-word.ts';

test.each([
  ["/bin/bash -lc 'cat ../outside.txt'", 'cat ../outside.txt'],
  ['/bin/bash -c ls', 'ls'],
  ['/bin/bash -c "printf \'%s\' \\"a\\" > \\$HOME/x"', 'printf \'%s\' "a" > $HOME/x'],
  [`/bin/sh -c 'echo '"'"'x y'"'"''`, "echo 'x y'"],
  ['git status', 'git status'],
])('finds the script in %s', (command, script) => {
  expect(scriptOf(command)).toBe(script);
});
