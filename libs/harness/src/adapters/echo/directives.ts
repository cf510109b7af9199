import { isStage, type Stage } from '@reins/contracts';

/**
 * A line of the instruction that controls the echo runtime: `@echo <word> <rest>`. `@echo/<stage> …` and
 * `@echo/<stage>/<iteration> …` apply to one stage only.
 */
export type Directive =
  | { readonly name: 'answer' | 'ask' | 'error'; readonly rest: string }
  | { readonly name: 'fail' | 'delay' | 'clock'; readonly count: number }
  | { readonly name: 'write'; readonly path: string; readonly content: string }
  | { readonly name: 'stream' | 'hang' | 'crash' | 'leak' };

const LINE = /^@echo(?:\/([a-z]+)(?:\/(\d+))?)?[ \t]+([a-z]+)(?:[ \t]+(.*))?$/gm;
const ITERATION = /^Reins iteration: (\d+)$/m;

/** Returns the directives of an instruction that apply to a stage, in order. Other lines are plain text. */
export function directivesOf(instruction: string, stage: Stage): Directive[] {
  const iteration = Number(ITERATION.exec(instruction)?.[1] ?? 1);
  return [...instruction.matchAll(LINE)].flatMap(([, onlyStage, onlyIteration, name = '', rest = '']) => {
    if (onlyStage !== undefined && (!isStage(onlyStage) || onlyStage !== stage)) return [];
    if (onlyIteration !== undefined && Number(onlyIteration) !== iteration) return [];
    return parse(name, rest.trim());
  });
}

function parse(name: string, rest: string): Directive[] {
  switch (name) {
    case 'answer':
    case 'ask':
    case 'error':
      return [{ name, rest }];
    case 'fail':
    case 'delay':
    case 'clock':
      return [{ name, count: Number(rest) || 0 }];
    case 'write': {
      const [path = '', ...content] = rest.split(' ');
      return [{ name, path, content: content.join(' ') }];
    }
    case 'stream':
    case 'hang':
    case 'crash':
    case 'leak':
      return [{ name }];
    default:
      return [];
  }
}
