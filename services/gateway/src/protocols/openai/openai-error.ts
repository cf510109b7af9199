import { ApiProperty } from '@nestjs/swagger';
import { ERROR_CODES, type ErrorCode, isRetryable, type Problem } from '@reins/contracts';
import type { FastifyReply } from 'fastify';
import { ProblemItem } from '../../http/responses.ts';

const PATH = /^\/v1(?:[/?]|$)/;

/** Whether a call belongs to the OpenAI protocol, also if no route accepts it. */
export const isOpenAiCall = (url: string): boolean => PATH.test(url);

/** What OpenAI's clients read from an error. */
class OpenAiErrorBody {
  @ApiProperty()
  message!: string;

  @ApiProperty({ enum: ['invalid_request_error', 'rate_limit_error', 'server_error'] })
  type!: string;

  @ApiProperty({ type: String, nullable: true, description: 'the parameter' })
  param!: string | null;

  @ApiProperty({ description: 'stable error code: that of OpenAI if it has one, otherwise that of Reins' })
  code!: string;

  @ApiProperty({ type: [ProblemItem], description: 'all problems' })
  errors!: readonly Problem[];
}

/** An error in the form of OpenAI. */
export class OpenAiErrorResponse {
  @ApiProperty({ type: OpenAiErrorBody })
  error!: OpenAiErrorBody;
}

/** Sends an error. The clients of OpenAI repeat a call after a 5xx, which would run a failed request again. */
export function sendOpenAiError(
  { code, errors }: { code: string; errors: readonly Problem[] },
  reply: FastifyReply,
): void {
  reply.header('x-should-retry', String(isRetryable(code as ErrorCode)));
  reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(openAiError(errors)));
}

/** Codes for which OpenAI has a name of its own, which clients may check. */
const OPENAI_CODES: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'invalid_api_key',
  quota_exceeded: 'rate_limit_exceeded',
  admission_limited: 'rate_limit_exceeded',
  parameter_unsupported: 'unsupported_parameter',
};

/** The error for problems, which belong together. */
export function openAiError(problems: readonly Problem[]): OpenAiErrorResponse {
  const [first = UNKNOWN] = problems;
  const { code, message, path, hint } = first;
  return {
    error: {
      message: hint === undefined ? message : `${message}. ${hint}`,
      type: typeOf(ERROR_CODES[code].status),
      param: path ?? null,
      code: OPENAI_CODES[code] ?? code,
      errors: problems,
    },
  };
}

function typeOf(status: number): string {
  if (status === 429) return 'rate_limit_error';
  return status < 500 ? 'invalid_request_error' : 'server_error';
}

const UNKNOWN: Problem = { code: 'internal_error', message: 'internal error' };
