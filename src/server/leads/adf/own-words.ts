/** What follows was written before, or by someone else. */
const QUOTED = /^\s*(?:>|-{2,} ?(?:original|forwarded) message|on .{1,200} wrote:\s*$|from:\s)/im

/** An email without what it quotes. */
export function ownWords(text: string): string {
  const quoted = text.search(QUOTED)
  return quoted < 0 ? text : text.slice(0, quoted)
}
