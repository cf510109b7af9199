/**
 * Shifts the clock of a process by `CHAOS_CLOCK_SHIFT_MS`, like a machine whose clock was never set. Loaded with
 * `--import`. The monotonic clock is unaffected.
 */
const shiftMs = Number(process.env.CHAOS_CLOCK_SHIFT_MS ?? 0);
const RealDate = Date;
const now = () => RealDate.now() + shiftMs;

globalThis.Date = new Proxy(RealDate, {
  apply: () => new RealDate(now()).toString(),
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
