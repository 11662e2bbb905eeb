/** What a person wrote in an email, and the earlier emails that their program added below. */
export type MailText = Readonly<{ own: string; quoted: string }>

/** Lines with which mail programs begin the earlier email. */
const STARTS = [
  /^On .{6,200} wrote:$/,
  /^-{2,}\s*(?:Original Message|Forwarded message)\s*-{2,}/i,
  /^_{10,}$/,
  /^From: .+/,
  /^Sent from my /,
  /^>/,
]

/** Splits an email where the earlier ones begin. If nothing would be left, nothing is split off. */
export function splitQuoted(text: string): MailText {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  // Mail programs break a long "On Nov 18 ... wrote:" into two lines.
  const at = lines.findIndex((line, index) => {
    const trimmed = line.trim()
    const two = `${trimmed} ${lines[index + 1]?.trim() ?? ''}`
    return (
      STARTS.some((start) => start.test(trimmed)) ||
      (trimmed.startsWith('On ') && /^On .{6,200} wrote:$/.test(two))
    )
  })
  const own = (at === -1 ? lines : lines.slice(0, at)).join('\n').trim()
  if (at === -1 || own === '') return { own: text.trim(), quoted: '' }
  return { own, quoted: lines.slice(at).join('\n').trim() }
}
