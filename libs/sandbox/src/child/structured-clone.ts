import { types } from 'node:util';
import { tableOf } from './captured.ts';

/**
 * `structuredClone` without host objects. The one of Node.js reads an internal symbol from objects of the author, which
 * selects an internal class to create. This one reads own members once, and creates only objects of the language.
 */

const { apply, construct, getOwnPropertyDescriptor, ownKeys } = Reflect;
const { defineProperty, getPrototypeOf, hasOwn } = Object;
const { isArray } = Array;
const { isProxy, isDate, isRegExp, isMap, isSet, isNativeError, isArrayBuffer, isSharedArrayBuffer } = types;
const { isArrayBufferView, isBoxedPrimitive, isPromise, isWeakMap, isWeakSet, isGeneratorObject, isExternal } = types;

type Method = (this: unknown, ...args: never[]) => unknown;

const own = <T extends object>(prototype: T, name: PropertyKey): Method => {
  const { value, get } = getOwnPropertyDescriptor(prototype, name) ?? {};
  return (get ?? value) as Method;
};

const RealDate = Date;
const RealMap = Map;
const RealSet = Set;
const RealRegExp = RegExp;
const RealObject = Object;
const RealDOMException = DOMException;
const RealBuffer = ArrayBuffer;
const Bytes = Uint8Array;
const View = DataView;
const typedArray = getPrototypeOf(Bytes.prototype) as object;
const tagOf = own(typedArray, Symbol.toStringTag);
const TYPED = tableOf<new (buffer: ArrayBufferLike, at: number, length: number) => unknown>({
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float16Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
});
const ERRORS = tableOf<ErrorConstructor>({ EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError });
const PlainError = Error;

const timeOf = own(RealDate.prototype, 'getTime');
const sourceOf = own(RealRegExp.prototype, 'source');
const flagsOf = own(RealRegExp.prototype, 'flags');
const eachOfMap = own(RealMap.prototype, 'forEach');
const eachOfSet = own(RealSet.prototype, 'forEach');
const setIn = own(RealMap.prototype, 'set');
const getFrom = own(RealMap.prototype, 'get');
const addTo = own(RealSet.prototype, 'add');
const setBytes = own(typedArray, 'set');
const bufferLength = own(RealBuffer.prototype, 'byteLength');
const isDetached = own(RealBuffer.prototype, 'detached');
const transferred = own(RealBuffer.prototype, 'transfer');
const viewParts = ['buffer', 'byteOffset', 'byteLength'].map((name) => own(View.prototype, name));
const typedParts = ['buffer', 'byteOffset', 'length'].map((name) => own(typedArray, name));
const exceptionParts = ['message', 'name'].map((name) => own(RealDOMException.prototype, name));
const unboxed = [Number, String, Boolean, BigInt].map(({ prototype }) => own(prototype, 'valueOf'));
const call = (method: Method | undefined, self: unknown, ...args: unknown[]): unknown =>
  apply(method as Method, self, args);

type Known = Map<object, unknown>;

/** @throws DOMException `DataCloneError` for values that cannot be cloned, and for transfers other than buffers */
export function structuredCloneOf(value: unknown, options?: { readonly transfer?: readonly unknown[] }): unknown {
  const transfer = options?.transfer === undefined ? [] : [...options.transfer];
  for (const buffer of transfer)
    if (!isArrayBuffer(buffer) || call(isDetached, buffer)) throw uncloneable('a transferred object');
  const copy = copyOf(value, new RealMap());
  for (const buffer of transfer) call(transferred, buffer);
  return copy;
}

function copyOf(value: unknown, known: Known): unknown {
  if (typeof value === 'symbol' || typeof value === 'function') throw uncloneable(typeof value);
  if (typeof value !== 'object' || value === null) return value;
  const copied = call(getFrom, known, value);
  if (copied !== undefined) return copied;
  if (isRefused(value)) throw uncloneable('an object of this kind');
  return structureOf(value, known);
}

const isRefused = (value: object): boolean =>
  [isProxy, isPromise, isWeakMap, isWeakSet, isGeneratorObject, isExternal, isSharedArrayBuffer].some((is) =>
    is(value),
  );

function structureOf(value: object, known: Known): unknown {
  const keep = <T>(copy: T): T => {
    call(setIn, known, value, copy);
    return copy;
  };
  if (isDate(value)) return keep(new RealDate(call(timeOf, value) as number));
  if (isRegExp(value)) return keep(new RealRegExp(call(sourceOf, value) as string, call(flagsOf, value) as string));
  if (isBoxedPrimitive(value)) return keep(RealObject(primitiveOf(value)));
  if (isArrayBuffer(value)) return keep(bufferOf(value));
  if (isArrayBufferView(value)) return keep(viewOf(value, known));
  if (isNativeError(value)) return errorOf(value, known, keep);
  if (isMap(value)) return mapOf(value, keep(new RealMap()), known);
  if (isSet(value)) return setOf(value, keep(new RealSet()), known);
  if (isArray(value)) return membersOf(value, keep(sized(value.length)), known);
  return membersOf(value, keep({}), known);
}

function sized(length: number): unknown[] {
  const array: unknown[] = [];
  array.length = length;
  return array;
}

/** Reads each member once, because a getter could return another value later. */
function membersOf<T extends object>(value: object, copy: T, known: Known): T {
  for (const name of ownKeys(value)) {
    if (typeof name === 'symbol' || getOwnPropertyDescriptor(value, name)?.enumerable !== true) continue;
    define(copy, name, copyOf((value as Record<string, unknown>)[name], known));
  }
  return copy;
}

function define(copy: object, name: string, value: unknown, enumerable = true): void {
  const descriptor = { __proto__: null, value, enumerable, writable: true, configurable: true };
  defineProperty(copy, name, descriptor as PropertyDescriptor);
}

function mapOf(value: object, copy: Map<unknown, unknown>, known: Known): Map<unknown, unknown> {
  const members: unknown[] = [];
  call(eachOfMap, value, (member: unknown, key: unknown) => void members.push(key, member));
  for (let i = 0; i < members.length; i += 2)
    call(setIn, copy, copyOf(members[i], known), copyOf(members[i + 1], known));
  return copy;
}

function setOf(value: object, copy: Set<unknown>, known: Known): Set<unknown> {
  const members: unknown[] = [];
  call(eachOfSet, value, (member: unknown) => void members.push(member));
  for (const member of members) call(addTo, copy, copyOf(member, known));
  return copy;
}

function primitiveOf(value: object): unknown {
  for (const primitive of unboxed) {
    try {
      return call(primitive, value);
    } catch {
      // It is not a boxed value of this type.
    }
  }
  throw uncloneable('a symbol');
}

function bufferOf(value: ArrayBuffer): ArrayBuffer {
  if (call(isDetached, value)) throw uncloneable('a detached buffer');
  const copy = new RealBuffer(call(bufferLength, value) as number);
  call(setBytes, new Bytes(copy), new Bytes(value));
  return copy;
}

function viewOf(value: ArrayBufferView, known: Known): unknown {
  const tag = call(tagOf, value) as string | undefined;
  const [buffer, at, length] = (tag === undefined ? viewParts : typedParts).map((part) => call(part, value));
  const Typed = tag === undefined ? View : TYPED[tag];
  if (Typed === undefined) throw uncloneable('an array of this kind');
  return construct(Typed, [copyOf(buffer, known), at, length]);
}

/** The class follows from the name, as in the algorithm of the HTML standard. */
function errorOf(value: Error, known: Known, keep: <T>(copy: T) => T): Error {
  const exception = exceptionOf(value);
  if (exception) return keep(exception);
  const { name, stack } = value;
  const message = getOwnPropertyDescriptor(value, 'message');
  const Class = (typeof name === 'string' && ERRORS[name]) || PlainError;
  const copy = keep(new Class());
  if (message && 'value' in message) define(copy, 'message', `${message.value}`, false);
  if (typeof stack === 'string') define(copy, 'stack', stack, false);
  if (hasOwn(value, 'cause')) define(copy, 'cause', copyOf(value.cause, known), false);
  return copy;
}

function exceptionOf(value: object): Error | undefined {
  try {
    const [message, name] = exceptionParts.map((part) => call(part, value));
    return new RealDOMException(message as string, name as string);
  } catch {
    return undefined; // It is another kind of error.
  }
}

const uncloneable = (what: string): Error => new RealDOMException(`${what} could not be cloned`, 'DataCloneError');
