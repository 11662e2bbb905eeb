import { QUOTE_STARTS } from '../form-mails/quoted-mail.ts'

/** What follows was written before, or by someone else. */
const QUOTED = /^\s*(?:from|von|de ?):\s/im

/** An email without what it quotes. */
export function ownWords(text: string): string {
  const starts = [QUOTED, QUOTE_STARTS].map((is) => text.search(is)).filter((at) => at >= 0)
  return starts.length === 0 ? text : text.slice(0, Math.min(...starts))
}
