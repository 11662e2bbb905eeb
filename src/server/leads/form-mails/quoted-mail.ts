/** What an email quotes or forwards begins here. */
const STARTS =
  /^[ \t]*(?:>|-{2,} ?(?:original|forwarded) message|begin forwarded message|on .{1,200} wrote:[ \t]*$)/im
/** The lines with which mail programs describe the email that they quote. Forms have "From" and "Subject", but not these. */
const HEAD =
  /^[ \t]*\*?(?:from|von|de):.*\n(?:[ \t]*(?:\*?(?:to|cc|reply-to|subject|importance|attachments):.*)?\n){0,5}[ \t]*\*?(?:sent|date):/im
const HEAD_LINE =
  /^(?:\*?(?:from|von|de|sent|date|to|cc|bcc|reply-to|subject|importance|attachments):|-{2,}|begin forwarded)/i

/** An email without what it quotes; the lines that describe what it quotes; and that without the marks before its lines. */
export type Unquoted = Readonly<{ own: string; head: string; quoted: string }>

export function unquoted(text: string): Unquoted {
  const starts = [STARTS, HEAD].map((is) => text.search(is)).filter((at) => at >= 0)
  if (starts.length === 0) return { own: text, head: '', quoted: '' }
  const start = Math.min(...starts)
  const lines = withoutMarks(text.slice(start)).split('\n')
  const isForm = (at: number) => {
    const line = lines[at]?.trim() ?? ''
    return line !== '' && !HEAD_LINE.test(line)
  }
  let end = 0
  while (end < lines.length && !isForm(end)) end += 1
  // Without a head, "From" is a label of a form.
  const hasHead = HEAD.test(`${lines.slice(0, end).join('\n')}\n`)
  const from = hasHead ? end : 0
  return {
    own: text.slice(0, start),
    head: lines.slice(0, from).join('\n').trim(),
    quoted: lines.slice(from).join('\n'),
  }
}

/** Who wrote the email that another one forwards, by the lines above it. */
export function senderInHead(head: string): { name: string | null; email: string } | null {
  const from = /^[ \t]*\*?(?:from|von|de):(.*)$/im.exec(head)?.[1]?.slice(0, 500) ?? ''
  const [email = null] = /[^\s<>"(),;:[\]]+@[^\s<>"(),;:[\]]+\.[a-z]{2,}/i.exec(from) ?? []
  if (email === null) return null
  const name = from
    .slice(0, from.indexOf(email))
    .replaceAll(/[<>"*[\]\uE002]|mailto:|\(/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return { email: email.toLowerCase(), name: name === '' ? null : name.slice(0, 200) }
}

/** Whether someone passed an email on, by the word that mail programs put before its subject. */
export const isForward = (subject: string | null): boolean => /^\s*(?:fwd?|wg|tr|rv)\s*:/i.test(subject ?? '')

const withoutMarks = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/^[ \t]*(?:>[ \t]?)+/, ''))
    .join('\n')
