import type { AnswerFields } from '@reins/service-kit';

/** What is said of a workspace, whoever asks. */
export type Answer =
  | { readonly type: 'runtime.plan.compiled'; readonly fields: AnswerFields<'runtime.plan.compiled'> }
  | { readonly type: 'runtime.plan.rejected'; readonly fields: AnswerFields<'runtime.plan.rejected'> };
