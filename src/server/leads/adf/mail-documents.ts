import { textNamed, withTexts } from '#contract/leads/adf/add-texts.ts'
import type { AdfLead, AdfRest } from '#contract/leads/adf/adf-lead.ts'
import { ADF_LIMITS } from '#contract/leads/adf/adf-values.ts'
import { type AdfWarning, adfWarning } from '#contract/leads/adf/adf-warnings.ts'
import { textOfHtml } from '../form-mails/html-lines.ts'
import { LONGEST_BODY, mailBody } from '../form-mails/mail-body.ts'
import { ADF_BOUNDS } from './adf-bounds.ts'
import { htmlText, type MailAttachment, type MailParts, storableText } from './mail-parts.ts'
import { type ParsedAdf, parseAdf } from './parse-adf.ts'

/** The ADF documents of an email as one. `attachments`: those that were read; the text of `mails` has one, too. */
export type MailDocuments = Readonly<{
  adf: ParsedAdf
  attachments: readonly MailAttachment[]
  mails: ReadonlySet<MailParts>
}>

type DocumentPlace = Readonly<{
  bytes: () => Uint8Array<ArrayBuffer>
  attachment: MailAttachment | null
  mail: MailParts | null
}>
type RefusedDocument = Readonly<{ one: DocumentPlace; adf: Extract<ParsedAdf, { kind: 'refused' }> }>

/**
 * Reads every ADF document of an email. The same lead in a second document, as of a sender who both attaches and shows it, is one lead.
 * If only some can be read, the others are named in a warning. Null if there is none.
 */
export function readDocuments(
  mails: readonly MailParts[],
  attachments: readonly MailAttachment[],
): MailDocuments | null {
  const found = [...attachments.flatMap(attachedDocument), ...mails.flatMap(documentsInText)]
  const leads: AdfLead[] = []
  const unusable: { lead: AdfLead; message: string }[] = []
  const known = new Set<string>()
  const read: { one: DocumentPlace; adf: Extract<ParsedAdf, { kind: 'document' }> }[] = []
  const refused: RefusedDocument[] = []
  let isTooMany = false
  for (const one of found) {
    isTooMany = leads.length + unusable.length >= ADF_LIMITS.prospects
    if (isTooMany) break
    const adf = parseAdf(one.bytes(), { isText: one.attachment === null })
    if (adf.kind === 'refused') {
      refused.push({ one, adf })
      continue
    }
    read.push({ one, adf })
    const isNew = (lead: AdfLead) => !known.has(valuesOf(lead))
    const added = {
      leads: adf.document.leads.filter(isNew),
      unusable: adf.document.unusable.filter(({ lead }) => isNew(lead)),
    }
    leads.push(...added.leads)
    unusable.push(...added.unusable)
    for (const lead of [...added.leads, ...added.unusable.map((other) => other.lead)])
      known.add(valuesOf(lead))
  }
  const [first] = read
  if (first === undefined)
    return refused[0] === undefined ? null : { adf: refused[0].adf, ...partsOf([refused[0].one]) }
  const warnings = [
    ...refused.map(({ one, adf }) =>
      adfWarning('documentRefused', `${one.attachment?.name ?? 'its text'}: ${adf.message}`),
    ),
    ...(isTooMany ? [adfWarning('tooManyProspects')] : []),
  ]
  const warned = (lead: AdfLead) => withWarnings(lead, warnings)
  const document = {
    leads: leads.map(warned),
    unusable: unusable.map((one) => ({ ...one, lead: warned(one.lead) })),
  }
  return { adf: { ...first.adf, document }, ...partsOf(read.map(({ one }) => one)) }
}

const partsOf = (found: readonly DocumentPlace[]): Pick<MailDocuments, 'attachments' | 'mails'> => ({
  attachments: found.flatMap(({ attachment }) => attachment ?? []),
  mails: new Set(found.flatMap(({ mail }) => mail ?? [])),
})

const withWarnings = (lead: AdfLead, warnings: readonly AdfWarning[]): AdfLead =>
  warnings.length === 0 ? lead : { ...lead, warnings: [...warnings, ...lead.warnings] }

/** What a document says of a lead, however its lines are broken. */
const valuesOf = (lead: AdfLead): string =>
  JSON.stringify({ ...lead, warnings: [] }).replaceAll(/\\[rnt]|\s+/g, '')

/** The leads of an email with what it says besides its documents. */
export function withWords(
  adf: ParsedAdf,
  { subject, text }: { subject: string | null; text: string },
): ParsedAdf {
  if (adf.kind === 'refused') return adf
  const texts: AdfRest[] = [...textNamed('subject', subject), ...textNamed('text_of_the_email', text)]
  const { leads, unusable } = adf.document
  return {
    ...adf,
    document: {
      leads: leads.map((lead) => withTexts(lead, texts)),
      unusable: unusable.map((one) => ({ ...one, lead: withTexts(one.lead, texts) })),
    },
  }
}

const STARTS_ADF = /<(?:\?\s{0,20})?adf\b/i

/** An incomplete document counts too: it is refused with the reason, and isn't mistaken for a message. */
function attachedDocument(attachment: MailAttachment): DocumentPlace[] {
  const isText =
    /\.(?:xml|adf|txt)$/i.test(attachment.name) || /xml|adf|^text\/plain|octet-stream/i.test(attachment.type)
  if (!isText || !isAdf(attachment)) return []
  // One that is too large is refused with that reason.
  return [{ bytes: () => new Uint8Array(attachment.start(ADF_BOUNDS.bytes + 300)), attachment, mail: null }]
}

/** Also in UTF-16, where each letter has a zero byte beside it. */
const isAdf = ({ start }: MailAttachment): boolean =>
  STARTS_ADF.test(start(4_500).toString('latin1').replaceAll('\0', ''))

function documentsInText(mail: MailParts): DocumentPlace[] {
  for (const body of [storableText(mail.text), storableText(mail.html), htmlText(mail)]) {
    const places = placesOf(body ?? '')
    if (body === null || places.length === 0) continue
    // The text is decoded already, whatever its declaration says.
    return places.map(({ start, end }) => ({
      bytes: () => new TextEncoder().encode(body.slice(start, end)),
      attachment: null,
      mail,
    }))
  }
  return []
}

/** A document with the instruction before it; what it quotes starts none. */
const DOCUMENT =
  /<!\[CDATA\[[^]*?(?:\]\]>|$)|<!--[^]*?(?:-->|$)|<\?\s{0,20}adf\b[^>]{0,200}>\s*(?:<adf\b)?|<adf\b/gi

/** The documents of a text. One that isn't closed goes to where the next one starts. */
function placesOf(body: string): { start: number; end: number }[] {
  const starts = [...body.matchAll(DOCUMENT)].flatMap(({ 0: found, index }) =>
    STARTS_ADF.test(found) && !found.startsWith('<!') ? [index] : [],
  )
  const lower = body.toLowerCase()
  return starts.map((start, at) => {
    const next = starts[at + 1] ?? body.length
    const last = lower.lastIndexOf('</adf', next)
    const end = last < start ? -1 : body.indexOf('>', last)
    return { start, end: end < 0 || end >= next ? next : end + 1 }
  })
}

/** What an email says around the documents in its text, with the lines that only one of its bodies has. */
export function wordsAround(mail: MailParts): string {
  const html = storableText(mail.html)
  const isInMarkup = html !== null && placesOf(html).length > 0
  const ofHtml = isInMarkup ? textOfHtml(around(html)) : htmlText(mail)
  const { text, left } = mailBody(wordsIn(storableText(mail.text)), wordsIn(ofHtml))
  return [text, left].filter((part) => part !== '').join('\n')
}

function around(body: string): string {
  const places = placesOf(body)
  const parts = [0, ...places.map(({ end }) => end)].map((from, at) => body.slice(from, places[at]?.start))
  return parts.join('\n')
}

const wordsIn = (body: string | null): string =>
  around((body ?? '').replaceAll('\r\n', '\n'))
    // The declaration before a document, and the marks of code around it.
    .replaceAll(/<\?xml\b[^>]{0,200}\?>|<!doctype adf\b[^>]{0,200}>|^[ \t>]*```[a-z]*[ \t]*$/gim, '')
    .replaceAll(/^[ \t]*(?:>[ \t]*)+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
    .slice(0, LONGEST_BODY)
