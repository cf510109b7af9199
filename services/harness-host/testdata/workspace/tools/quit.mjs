export function quit() {
  console.error(new Error('out of ink'));
  process.exit(3);
}
