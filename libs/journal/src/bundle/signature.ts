import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { canonicalJson, isObject, type RunAddress } from '@reins/contracts';
import type { Head } from '../entries/entry.ts';
import { bundleHead, type JournalBundle } from './bundle.ts';

const FORMAT = 'reins.signature.v1';

/** Somebody's word that a run's journal ended here. The hash chain carries it over every entry before. */
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
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new TypeError('journals are signed with an Ed25519 key');
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
 * Whether a signature stands for this journal. Needs nothing but what it is given.
 * @param trusted the key that must have signed; without it the one in the signature is taken, which says only that the journal was not
 * changed since
 */
export function verifySignature(bundle: JournalBundle, signature: unknown, trusted?: KeyObject): SignatureVerdict {
  if (!isSignature(signature)) return no(`it is not a ${FORMAT}`);
  const key = keyOf(signature.publicKey);
  if (!key) return no('its public key is no Ed25519 key');
  if (trusted && !trusted.equals(key)) return no('another key has signed it');
  const { run, head } = signature;
  if (!verify(null, signed(run, head), key, Buffer.from(signature.signature, 'base64')))
    return no('the signature is not of this key');
  if (canonicalJson({ run: bundle.run, head: bundleHead(bundle) }) !== canonicalJson({ run, head }))
    return no('it was given for another journal');
  return { valid: true };
}

const signed = (run: RunAddress, head: Head): Uint8Array =>
  new TextEncoder().encode(canonicalJson({ format: FORMAT, run, head }));

const no = (reason: string): SignatureVerdict => ({ valid: false, reason });

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
