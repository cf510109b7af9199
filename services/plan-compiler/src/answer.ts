import type { AnswerFields } from '@reins/service-kit';

/** The answer to a plan request. It depends only on the workspace revision. */
export type Answer =
  | { readonly type: 'runtime.plan.compiled'; readonly fields: AnswerFields<'runtime.plan.compiled'> }
  | { readonly type: 'runtime.plan.rejected'; readonly fields: AnswerFields<'runtime.plan.rejected'> };
