/** Untrusted text, cleaned for display on one line. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .trim()
}

/** The last part of a path, cleaned for display on one line. */
export function shortName(name: string): string {
  const plain = oneLine(name.split(/[/\\]/).at(-1) ?? '')
  return plain === '' ? 'feed' : plain.slice(0, 200)
}
