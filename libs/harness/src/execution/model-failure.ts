import { isObject } from '@reins/contracts';

const MAX_DETAIL_LENGTH = 500;

/**
 * Describes the error response of a model endpoint in one sentence. What the model door says itself is passed on without
 * its status.
 */
export function modelFailure(status: number, body: string): string {
  const { detail, isOfDoor } = detailOf(body.trim());
  if (isOfDoor && detail !== '') return detail;
  return `the model endpoint responded with ${status}${detail === '' ? '' : `: ${detail}`}`;
}

interface Detail {
  readonly detail: string;
  /** The model door refused the call, or cannot reach the provider. */
  readonly isOfDoor: boolean;
}

function detailOf(body: string): Detail {
  const parsed = parse(body);
  if (!isObject(parsed)) return { detail: shortened(body), isOfDoor: false };
  const error = parsed.error ?? parsed;
  if (!isObject(error)) return { detail: shortened(String(error)), isOfDoor: false };
  const { message, type, code, status } = error;
  // The form in which the door answers the clients of all vendors.
  const isOfDoor = typeof code === 'string' && type === code && status === code;
  return { detail: typeof message === 'string' ? shortened(message) : '', isOfDoor };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** A text of another party, at most 500 characters of it. */
export const shortened = (text: string): string =>
  text.length > MAX_DETAIL_LENGTH ? `${text.slice(0, MAX_DETAIL_LENGTH)}…` : text;
