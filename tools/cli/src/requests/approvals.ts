import { waitCommands } from '@reins/contracts';
import { wrongUsage } from '../arguments.ts';
import type { ApprovalDetail, RequestDetail } from '../client/api-types.ts';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { allQuestionLines, questionLines, questionText, subjectText } from '../output/question-lines.ts';
import { table } from '../output/table.ts';

/** Prints the approvals of a request, and what the pending ones are about. */
export async function approvals(context: CliContext, id: string): Promise<ExitCode> {
  const { approvals: found = [] } = await new GatewayClient(gatewayAddress(context)).get<RequestDetail>(
    `/requests/${encodeURIComponent(id)}`,
  );
  if (context.json) printJson(context, found);
  else {
    const lines = [table(APPROVAL_HEADER, found.map(row)), ...found.flatMap(pendingLines(id))];
    context.out(`${context.typed(lines.join('\n'))}\n`);
  }
  return EXIT.ok;
}

const APPROVAL_HEADER = ['approvalId', 'status', 'subject', 'expiresAt', 'decidedBy'];

/** The question of a pending approval, with its data. */
const pendingLines =
  (requestId: string) =>
  ({ approvalId, status, subject }: ApprovalDetail): string[] => {
    const payload = subject?.detail?.payload;
    if (status !== 'requested' || payload === undefined) return [];
    const data = questionLines(payload, `reins approvals show ${requestId} ${approvalId}`);
    return ['', `${approvalId}: ${questionText(payload)}`, ...data.map((line) => `    ${line}`)];
  };

/** Prints one approval with everything that it is about. */
export async function showApproval(context: CliContext, id: string, approvalId: string): Promise<ExitCode> {
  const { approvals: all = [] } = await new GatewayClient(gatewayAddress(context)).get<RequestDetail>(
    `/requests/${encodeURIComponent(id)}`,
  );
  const found = all.find((one) => one.approvalId === approvalId);
  if (!found) {
    const hint = `List the approvals with \`reins approvals list ${id}\`.`;
    throw wrongUsage(`request ${id} has no approval ${approvalId}`, hint);
  }
  if (context.json) printJson(context, found);
  else context.out(`${context.typed(approvalText(id, found))}\n`);
  return EXIT.ok;
}

function approvalText(requestId: string, approval: ApprovalDetail): string {
  const { approvalId, status, subject, expiresAt, decidedBy, comment } = approval;
  const payload = subject?.detail?.payload;
  const isPending = status === 'requested';
  const decided = isPending ? '' : `${decidedBy ? ` by ${decidedBy}` : ''}${comment ? `: ${comment}` : ''}`;
  return [
    `${approvalId}  ${status}${decided}${isPending && expiresAt !== undefined ? ` until ${expiresAt}` : ''}`,
    payload === undefined ? (row(approval)[2] ?? '') : questionText(payload),
    ...allQuestionLines(payload).map((line) => `    ${line}`),
    ...(isPending
      ? waitCommands({ requestId, effectId: approvalId, reason: 'approval' }).map((one) => `  ${one}`)
      : []),
  ].join('\n');
}

const row = ({ approvalId, status, subject, expiresAt, decidedBy }: ApprovalDetail): string[] => [
  approvalId,
  status,
  subjectText(subject) ?? '',
  expiresAt ?? '',
  decidedBy ?? '',
];
