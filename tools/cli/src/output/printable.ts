/**
 * Escapes control characters. Names and values of files may be from anybody: a line break would fake a line of our own,
 * and an escape sequence would reach the terminal.
 */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it escapes
  text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`);
