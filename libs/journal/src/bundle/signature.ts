import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { canonicalJson, isObject, type RunAddress } from '@reins/contracts';
import type { Head } from '../entries/entry.ts';
import { bundleHead, type JournalBundle } from './bundle.ts';

const FORMAT = 'reins.signature.v1';

/** A signature over the end of a run's journal. Through the hash chain it covers every entry. */
export interface JournalSignature {
  readonly format: typeof FORMAT;
  readonly run: RunAddress;
  readonly head: Head;
  /** Ed25519, as PEM. */
  readonly publicKey: string;
  /** Base64. */
  readonly signature: string;
}

/** @param privateKey Ed25519 */
export function signJournal(bundle: JournalBundle, privateKey: KeyObject): JournalSignature {
  if (privateKey.asymmetricKeyType !== 'ed25519')
    throw new TypeError('the key to sign a journal must be an Ed25519 key');
  const { run } = bundle;
  const head = bundleHead(bundle);
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
  return {
    format: FORMAT,
    run,
    head,
    publicKey,
    signature: sign(null, signed(run, head), privateKey).toString('base64'),
  };
}

export type SignatureVerdict = { readonly valid: true } | { readonly valid: false; readonly reason: string };

/**
 * Verifies a signature of a journal, offline.
 * @param trusted the key that must have signed; without it the key in the signature is used, which only proves that the
 *   journal has not changed since it was signed
 */
export function verifySignature(bundle: JournalBundle, signature: unknown, trusted?: KeyObject): SignatureVerdict {
  if (!isSignature(signature)) return invalid(`it is not a ${FORMAT}`);
  const key = keyOf(signature.publicKey);
  if (!key) return invalid('its public key is not an Ed25519 key');
  if (trusted && !trusted.equals(key)) return invalid('it was signed with another key');
  const { run, head } = signature;
  if (!verify(null, signed(run, head), key, Buffer.from(signature.signature, 'base64')))
    return invalid('its signature does not match its public key');
  if (canonicalJson({ run: bundle.run, head: bundleHead(bundle) }) !== canonicalJson({ run, head }))
    return invalid('it belongs to another journal');
  return { valid: true };
}

const signed = (run: RunAddress, head: Head): Uint8Array =>
  new TextEncoder().encode(canonicalJson({ format: FORMAT, run, head }));

const invalid = (reason: string): SignatureVerdict => ({ valid: false, reason });

function keyOf(pem: string): KeyObject | undefined {
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}

function isSignature(value: unknown): value is JournalSignature {
  if (!isObject(value) || value.format !== FORMAT || !isObject(value.run) || !isObject(value.head)) return false;
  return typeof value.publicKey === 'string' && typeof value.signature === 'string';
}
