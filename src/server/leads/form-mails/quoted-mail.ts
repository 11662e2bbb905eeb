/** How mail programs begin what they quote or forward, in English, German, French and Spanish. */
const MARKER = String.raw`-{2,} ?(?:original|forwarded|weitergeleitete|urspr[üu]ngliche) ?(?:message|nachricht)|-{2,} ?(?:message (?:transf[ée]r[ée]|d['’]origine)|mensaje (?:reenviado|original))|begin forwarded message|anfang der weitergeleiteten|d[ée]but du message (?:transf[ée]r[ée]|r[ée]exp[ée]di[ée])|inicio del mensaje reenviado`
/** What an email quotes or forwards begins here. */
export const QUOTE_STARTS = new RegExp(
  String.raw`^[ \t]*(?:>|${MARKER}|on .{1,200} wrote:[ \t]*$|am .{1,200} schrieb .{0,200}:[ \t]*$|le .{1,200} a [ée]crit ?:[ \t]*$|el .{1,200} escribi[óo]:[ \t]*$)`,
  'im',
)
const IS_MARKER = new RegExp(String.raw`^[ \t]*(?:${MARKER})`, 'i')
const FROM = '(?:from|von|de|expéditeur|remitente)'
const OTHERS =
  '(?:to|an|à|a|para|cc|bcc|cci|reply-to|antwort an|répondre à|responder a|subject|betreff|objet|asunto|importance|attachments|anlagen|pièces jointes)'
const SENT = '(?:sent|date|gesendet|datum|envoyé|enviado(?: el)?|fecha)'
const COLON = String.raw`\*?[ \t\u00A0]{0,2}:`
/** The lines with which mail programs describe the email that they quote. Forms have "From" and "Subject", but not these. */
const HEAD = new RegExp(
  String.raw`^[ \t]*\*?${FROM}${COLON}.*\n(?:[ \t]*(?:\*?${OTHERS}${COLON}.*)?\n){0,5}[ \t]*\*?${SENT}${COLON}`,
  'im',
)
const HEAD_LINE = new RegExp(
  String.raw`^(?:\*?(?:${FROM}|${OTHERS}|${SENT})${COLON}|[-_]{2,}|begin forwarded|anfang der|début du message|inicio del mensaje)`,
  'i',
)
const FROM_LINE = new RegExp(String.raw`^[ \t]*\*?${FROM}${COLON}(.*)$`, 'im')

/** An email without what it quotes; the lines that describe what it quotes; and that without the marks before its lines. */
export type Unquoted = Readonly<{ own: string; head: string; quoted: string }>

export function unquoted(text: string): Unquoted {
  const starts = [QUOTE_STARTS, HEAD].map((is) => text.search(is)).filter((at) => at >= 0)
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
  const above = `${lines.slice(0, end).join('\n')}\n`
  const hasHead = HEAD.test(above) || (IS_MARKER.test(above) && FROM_LINE.test(above))
  const from = hasHead ? end : 0
  return {
    own: text.slice(0, start),
    head: lines.slice(0, from).join('\n').trim(),
    quoted: lines.slice(from).join('\n'),
  }
}

/** Who wrote the email that another one forwards, by the lines above it. */
export function senderInHead(head: string): { name: string | null; email: string } | null {
  const from = FROM_LINE.exec(head)?.[1]?.slice(0, 500) ?? ''
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
export const isForward = (subject: string | null): boolean =>
  /^\s*(?:fwd?|wg|wtr|tr|rv)\s*:/i.test(subject ?? '')

const withoutMarks = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/^[ \t]*(?:>[ \t]?)+/, ''))
    .join('\n')
