import { type Difference, diffJson } from '@reins/runtime-config';
import { wholeNumber, wrongUsage } from '../arguments.ts';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { lastPreparation, type Preparation, snapshotOf } from './preparations.ts';
import { summaryLines } from './summary-lines.ts';

/** Selects a preparation of a request; by default the last one. */
export interface StageSelector {
  readonly stage?: string;
  readonly iteration?: string;
}

export interface ShowFlags extends StageSelector {
  readonly full?: boolean;
}

/** `reins snapshot show`: prints what was sent to a harness, without secrets: in short, or whole with `full` and as JSON. */
export async function show(context: CliContext, requestId: string, selector: ShowFlags): Promise<ExitCode> {
  const client = new GatewayClient(gatewayAddress(context));
  const preparation = await lastPreparation(client, requestId, selector.stage, parseIteration(selector.iteration));
  const snapshot = await snapshotOf(client, preparation);
  context.note(titleOf(preparation));
  if (selector.full || context.json) printJson(context, snapshot);
  else {
    context.out(`${summaryLines(snapshot, preparation.started).join('\n')}\n`);
    context.note('Show the whole snapshot with `--full`.');
  }
  return EXIT.ok;
}

/** `reins snapshot diff`: prints the differences of two snapshots. Returns 0 when the fingerprints are equal: they leave out ids. */
export async function diff(context: CliContext, before: string, after: string): Promise<ExitCode> {
  const client = new GatewayClient(gatewayAddress(context));
  const [a, b] = await Promise.all([preparationNamed(client, before), preparationNamed(client, after)]);
  const [first, second] = await Promise.all([snapshotOf(client, a), snapshotOf(client, b)]);
  const sameFingerprint = a.fingerprint === b.fingerprint;
  const differences = diffJson(first, second);
  if (context.json) printJson(context, { sameFingerprint, before: labelOf(a), after: labelOf(b), differences });
  else {
    context.note(`- ${titleOf(a)}\n+ ${titleOf(b)}`);
    context.out(
      `${sameFingerprint ? 'same fingerprint' : 'different fingerprints'}\n${differences.map(differenceText).join('')}`,
    );
  }
  return sameFingerprint ? EXIT.ok : EXIT.failed;
}

/** `<request>`, `<request>:<stage>` or `<request>:<stage>:<iteration>` */
function preparationNamed(client: GatewayClient, name: string): Promise<Preparation> {
  const [requestId = '', stage, iteration, ...more] = name.split(':');
  if (requestId === '' || more.length > 0) throw wrongUsage(`${name} must be <request>[:<stage>[:<iteration>]]`);
  return lastPreparation(client, requestId, stage, parseIteration(iteration));
}

export function parseIteration(text: string | undefined): number | undefined {
  return text === undefined ? undefined : wholeNumber(text, 'iteration');
}

const labelOf = ({ requestId, stage, iteration, attempt, runtimeId, fingerprint }: Preparation) => ({
  requestId,
  stage,
  iteration,
  attempt,
  runtime_id: runtimeId,
  fingerprint,
});

const titleOf = ({ requestId, stage, iteration, runtimeId, fingerprint }: Preparation): string =>
  `${requestId} ${stage} ${iteration} → ${runtimeId} (${fingerprint.slice(0, 12)})`;

const MAX_VALUE_LENGTH = 200;

function differenceText({ path, before, after }: Difference): string {
  const side = (sign: string, value: unknown): string => {
    if (value === undefined) return '';
    const text = JSON.stringify(value);
    return `  ${sign} ${text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text}\n`;
  };
  return `${path}\n${side('-', before)}${side('+', after)}`;
}
