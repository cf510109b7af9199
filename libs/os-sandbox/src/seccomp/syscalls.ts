/** System call numbers by name: x86-64, then arm64. `undefined` where the architecture does not have the call. */
const NUMBERS: Readonly<Record<string, readonly [x64: number | undefined, arm64: number | undefined]>> = {
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  pidfd_open: [434, 434],
  perf_event_open: [298, 241],
  bpf: [321, 280],
  userfaultfd: [323, 282],
  keyctl: [250, 219],
  add_key: [248, 217],
  request_key: [249, 218],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  move_mount: [429, 429],
  open_tree: [428, 428],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  setns: [308, 268],
  unshare: [272, 97],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  syslog: [103, 116],
  open_by_handle_at: [304, 265],
  name_to_handle_at: [303, 264],
  fanotify_init: [300, 262],
  iopl: [172, undefined],
  ioperm: [173, undefined],
  personality: [135, 92],
  vhangup: [153, 58],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  migrate_pages: [256, 238],
  move_pages: [279, 239],
  process_madvise: [440, 440],
  process_mrelease: [448, 448],
  ioprio_set: [251, 30],
  msgget: [68, 186],
  semget: [64, 190],
  shmget: [29, 194],
  shmat: [30, 196],
  shmctl: [31, 195],
  semop: [65, 193],
  semctl: [66, 191],
  semtimedop: [220, 192],
  msgsnd: [69, 189],
  msgrcv: [70, 188],
  msgctl: [71, 187],
  sched_setaffinity: [203, 122],
  mq_open: [240, 180],
  sched_setscheduler: [144, 119],
  sched_setparam: [142, 118],
  sched_setattr: [314, 274],
  setpriority: [141, 140],
  socket: [41, 198],
  bind: [49, 200],
  listen: [50, 201],
  accept: [43, 202],
  accept4: [288, 242],
  connect: [42, 203],
  sendto: [44, 206],
  sendmsg: [46, 211],
  sendmmsg: [307, 269],
  fork: [57, undefined],
  vfork: [58, undefined],
  kill: [62, 129],
  tkill: [200, 130],
  rt_sigqueueinfo: [129, 138],
  rt_tgsigqueueinfo: [297, 240],
  pidfd_send_signal: [424, 424],
  socketpair: [53, 199],
  chmod: [90, undefined],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  chown: [92, undefined],
  lchown: [94, undefined],
  fchown: [93, 55],
  fchownat: [260, 54],
  utime: [132, undefined],
  utimes: [235, undefined],
  utimensat: [280, 88],
  futimesat: [261, undefined],
  setxattr: [188, 5],
  lsetxattr: [189, 6],
  fsetxattr: [190, 7],
  setxattrat: [463, 463],
  removexattr: [197, 14],
  lremovexattr: [198, 15],
  fremovexattr: [199, 16],
  removexattrat: [466, 466],
  clone: [56, 220],
  clone3: [435, 435],
  prlimit64: [302, 261],
  ioctl: [16, 29],
  prctl: [157, 167],
  fcntl: [72, 25],
  mmap: [9, 222],
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  inotify_init: [253, undefined],
  inotify_init1: [294, 26],
  inotify_add_watch: [254, 27],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
};

export type Architecture = 'x64' | 'arm64';

/** The numbers of these calls. Omits those that the architecture does not have. */
export function numbersOf(names: readonly string[], architecture: Architecture): number[] {
  const column = architecture === 'x64' ? 0 : 1;
  return names.map((name) => NUMBERS[name]?.[column]).filter((number) => number !== undefined);
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/**
 * Calls that reach other processes, kernel settings, mounts, keys or named shared memory. No program that we start
 * needs them.
 */
export const FORBIDDEN = words(`
  ptrace process_vm_readv process_vm_writev kcmp pidfd_getfd pidfd_open perf_event_open bpf userfaultfd keyctl add_key request_key mount
  umount2 pivot_root chroot move_mount open_tree fsopen fsconfig fsmount fspick mount_setattr setns unshare swapon swapoff reboot kexec_load
  kexec_file_load init_module finit_module delete_module acct quotactl quotactl_fd settimeofday clock_settime clock_adjtime adjtimex syslog
  open_by_handle_at name_to_handle_at fanotify_init iopl ioperm personality vhangup sethostname setdomainname migrate_pages move_pages
  process_madvise process_mrelease ioprio_set msgget msgsnd msgrcv msgctl semget semop semctl semtimedop shmget shmat shmctl mq_open sched_setscheduler sched_setparam sched_setattr setpriority`);

/**
 * Calls that submit other calls without the filter. Programs fall back when the kernel does not seem to support them.
 */
export const UNFILTERED = words('io_uring_setup io_uring_enter io_uring_register');

export const SOCKETS = words('socket bind listen accept accept4 connect');

/** Calls by which a child accepts connections. */
export const SERVERS = words('listen accept accept4');

/** Calls that start or reach other processes. */
export const PROCESSES = words('fork vfork kill tkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_send_signal socketpair');

/** Calls that allocate memory which no limit counts, or that report changes of files which the child may not read. */
export const UNCOUNTED = words('memfd_create memfd_secret inotify_init inotify_init1 inotify_add_watch');

/** Calls that change metadata of files, but not their content: Landlock restricts neither these nor `FILE_TIMES`. */
export const FILE_METADATA = words(`
  chmod fchmod fchmodat fchmodat2 chown lchown fchown fchownat setxattr lsetxattr fsetxattr setxattrat
  removexattr lremovexattr fremovexattr removexattrat`);

export const FILE_TIMES = words('utime utimes utimensat futimesat');
