import { type HostRequest, isGated } from '@reins/runtime-config';

/**
 * The tools of executors and of Reins that a run may call. Those that require approval are offered only if the user
 * approved them in advance: approvals during a stage are not supported.
 */
export function allowedTools({ tools, gated_tools, granted_tools }: HostRequest): readonly string[] {
  return Object.keys(tools).filter((name) => !isGated(name, gated_tools) || granted_tools.includes(name));
}
