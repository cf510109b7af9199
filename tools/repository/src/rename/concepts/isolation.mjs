/** What confines a child process is its isolation (namespaces, Landlock, seccomp), not a wall. */
export default {
  in: ['libs/os-sandbox/**', 'libs/sandbox/**', 'libs/harness/**', 'services/harness-host/src/executor/**'],
  identifiers: {
    Wall: 'Isolation',
    wall: 'isolation',
    walls: 'isolations',
    launchBehind: 'launchIsolated',
    requireWall: 'requireIsolation',
    bestWall: 'bestIsolation',
    noWall: 'noIsolation',
    NO_WALL: 'NO_ISOLATION',
    WallRule: 'IsolationRule',
    worksWithoutWall: 'worksWithoutIsolation',
  },
  files: {
    'libs/os-sandbox/src/wall.ts': 'libs/os-sandbox/src/isolation.ts',
    'libs/os-sandbox/src/launch-behind.ts': 'libs/os-sandbox/src/launch-isolated.ts',
    'libs/sandbox/src/wall.int.spec.ts': 'libs/sandbox/src/isolation.int.spec.ts',
  },
  texts: {
    "'wall' in ": "'isolation' in ",
    "Omit<ChildPlace, 'wall'>": "Omit<ChildPlace, 'isolation'>",
    '$wall.backend': '$isolation.backend',
    'const wall = await probe()': 'const isolation = await probe()',
    'requireIsolation(wall)': 'requireIsolation(isolation)',
    'launchIsolated(wall, options)': 'launchIsolated(isolation, options)',
  },
};
