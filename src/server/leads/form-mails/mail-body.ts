import { textNamed, withTexts } from '#contract/leads/adf/add-texts.ts'
import type { AdfLead } from '#contract/leads/adf/adf-lead.ts'
import { readAdf } from '#contract/leads/adf/read-adf.ts'
import { element } from './adf-elements.ts'
import { plainLines } from './line-marks.ts'
import { FOOTER } from './mail-fields.ts'
import { unquoted } from './quoted-mail.ts'

/** In characters: what is read and kept of each body of a very long email. */
export const LONGEST_BODY = 300_000

/** What an email says. `left`: the lines that only its other body has. */
export type MailBody = Readonly<{ text: string; left: string }>

/** The body that says more is the message: some programs write only "View this email in HTML" into the other. Both are plain text. */
export function mailBody(text: string, ofHtml: string): MailBody {
  if (text === '' || ofHtml === '') return { text: text === '' ? ofHtml : text, left: '' }
  const isHtml = newIn(ofHtml, text) > newIn(text, ofHtml)
  const [message, other] = isHtml ? [ofHtml, text] : [text, ofHtml]
  return { text: message, left: missingLines(other, message).join('\n') }
}

/** Lines of one body of an email that the other doesn't have. */
export function missingLines(body: string, other: string): string[] {
  const known = lettersOf(other)
  return plainLines(body)
    .split('\n')
    .filter((line, at) => at >= MAX_COMPARED || !known.includes(lettersOf(line)))
}

/** How many letters the sender wrote that the other body doesn't have. What it quotes, and addresses of links, don't count. */
const newIn = (body: string, other: string): number =>
  missingLines(unquoted(body).own, other)
    .filter((line) => !FOOTER.test(line) && !STUB.test(line))
    .reduce((sum, line) => sum + lettersOf(line.replaceAll(/https?:\/\/\S+/g, '')).length, 0)

/** A line that only says that the message is in the other body. */
const STUB = /\bhtml\b|\bsee\b.{0,60}\bbelow\b|\b(?:view|read|open)\b.{0,60}\b(?:online|browser)\b/i
/** In lines: comparing takes time. */
const MAX_COMPARED = 1_000
const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}@]/gu, '')

/** The buyer of an email, with the lines that aren't in its message; null if there are none. */
export function restOfMail(
  left: string | null,
  { name, email }: Readonly<{ name: string | null; email: string }>,
): AdfLead | null {
  const texts = textNamed('text_of_the_email', left)
  if (texts.length === 0) return null
  const contact = element('contact', [
    ...(name === null ? [] : [element('name', name, { part: 'full' })]),
    element('email', email),
  ])
  const [lead] = readAdf(element('adf', [element('prospect', [element('customer', [contact])])])).leads
  // The other warnings are about the form of ADF documents.
  return lead === undefined ? null : withTexts({ ...lead, warnings: [] }, texts)
}
