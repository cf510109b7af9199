/**
 * Members of builtins that the loader, the transport or Node.js itself might use. Each is replaced by a function that
 * tries to turn `evil:x` into `node:x`; then `evil:net` is imported.
 */
export const PATCHED: readonly (readonly [owner: string, member: string])[] = [
  ['Object', 'hasOwn'],
  ['Object', 'keys'],
  ['Object', 'defineProperty'],
  ['Object.prototype', 'hasOwnProperty'],
  ['Object.prototype', 'toString'],
  ['Object.prototype', 'evil:net'],
  ['Object.prototype', 'get'],
  ['Object.prototype', 'url'],
  ['Object.prototype', 'constructor'],
  ['Function.prototype', 'call'],
  ['Function.prototype', 'apply'],
  ['Function.prototype', 'bind'],
  ['Function.prototype', 'toString'],
  ['Array.prototype', 'map'],
  ['Array.prototype', 'push'],
  ['Array.prototype', 'constructor'],
  ['Array.prototype', '0'],
  ['Array', 'isArray'],
  ['Map.prototype', 'get'],
  ['Map.prototype', 'has'],
  ['Set.prototype', 'has'],
  ['WeakMap.prototype', 'get'],
  ['String.prototype', 'startsWith'],
  ['String.prototype', 'slice'],
  ['String.prototype', 'replace'],
  ['RegExp.prototype', 'exec'],
  ['RegExp.prototype', 'test'],
  ['JSON', 'parse'],
  ['JSON', 'stringify'],
  ['Promise', 'resolve'],
  ['Promise.prototype', 'then'],
  ['Promise.prototype', 'constructor'],
  ['Reflect', 'apply'],
  ['Reflect', 'construct'],
  ['Error', 'captureStackTrace'],
  ['Error.prototype', 'toString'],
  ['Symbol', 'for'],
  ['Number', 'isFinite'],
  ['Date', 'now'],
  ['Math', 'random'],
  ['Buffer', 'from'],
  ['Buffer.prototype', 'subarray'],
  ['Uint8Array.prototype', 'subarray'],
  ['Object.getPrototypeOf(Uint8Array.prototype)', 'set'],
  ['Object.getPrototypeOf([][Symbol.iterator]())', 'next'],
  ['Object.getPrototypeOf(function* () {}).prototype', 'next'],
  ['URL', 'canParse'],
  ['URL.prototype', 'toString'],
  ['AbortSignal', 'any'],
  ['EventTarget.prototype', 'addEventListener'],
  ['globalThis.process', 'nextTick'],
  ['performance', 'now'],
  ['crypto', 'randomUUID'],
];

/** Patches every member and reports for each whether the patch was possible, and the outcome of the import. */
export const PATCHING = `
  const attempt = async (owner, member) => {
    const evil = function (...args) {
      for (const arg of [...args, this]) if (typeof arg === 'object' && arg !== null) try { arg['evil:net'] = 'node:net'; } catch {}
      return 'node:net';
    };
    let patched = true;
    const before = Object.getOwnPropertyDescriptor(owner, member);
    try { owner[member] = evil; } catch { patched = false; }
    try { Object.defineProperty(owner, member, { value: evil, configurable: true }); } catch { patched = false; }
    try { delete owner[member]; } catch {}
    const after = Object.getOwnPropertyDescriptor(owner, member);
    const isSame = before?.value === after?.value && before?.get === after?.get;
    let imported;
    try { imported = typeof (await import('evil:net')).connect; } catch (error) { imported = error.code ?? error.name; }
    return [patched || !isSame ? 'patched' : 'as before', imported];
  };
  const tried = {};
  ${PATCHED.map(([owner, member]) => `tried[${JSON.stringify(`${owner}.${member}`)}] = await attempt(${owner}, ${JSON.stringify(member)});`).join('\n  ')}
`;
