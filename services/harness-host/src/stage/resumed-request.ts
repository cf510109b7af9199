import type { StageResume } from '@reins/contracts';
import type { HostRequest } from '@reins/runtime-config';

/**
 * The host request of a stage that continues: the decision that it waited for is its instruction. The rest of the
 * conversation is in its session.
 */
export function resumedRequest<T extends Pick<HostRequest, 'instruction'>>(
  request: T,
  resume: StageResume | undefined,
): T {
  if (!resume) return request;
  const { answer } = resume;
  return { ...request, instruction: typeof answer === 'string' ? answer : JSON.stringify(answer) };
}
