/** What a confined child may do. */
export interface Confinement {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Files and folders that it may read. The command and the system's libraries are among them. */
  readonly readable: readonly string[];
  /** Files and folders that it may change, too. */
  readonly writable: readonly string[];
  /** Folders in these that it finds empty, where namespaces are there. */
  readonly hidden: readonly string[];
  readonly network: 'none' | 'host';
  /** It may start other processes. */
  readonly processes: boolean;
  /** It may change the times of files, behind Landlock those of every file of its user. */
  readonly fileTimes: boolean;
  /** So many descriptors are its own; all others are closed. */
  readonly descriptors: number;
}
