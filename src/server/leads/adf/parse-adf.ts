import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { textNamed, withTexts } from '#contract/leads/adf/add-texts.ts'
import type { AdfDocument, AdfElement } from '#contract/leads/adf/adf-lead.ts'
import { adfWarning, type AdfWarning } from '#contract/leads/adf/adf-warnings.ts'
import { readAdf } from '#contract/leads/adf/read-adf.ts'
import { withoutForbidden } from '#contract/leads/adf/xml-characters.ts'
import { decodeEntities } from '#server/formats/xml-entities.ts'
import { AdfRefusal } from './adf-refusal.ts'
import { ADF_BOUNDS } from './adf-bounds.ts'
import { cleanAdf } from './clean-adf.ts'
import { decodeAdf } from './decode-adf.ts'
import { bareDocument } from './bare-document.ts'
import { type Piece, withInlineTags } from './inline-tags.ts'

/** What a document contains, or why it can't be read. `text` is the whole document as it was sent. */
export type ParsedAdf = { text: string; encoding: string | null } & (
  | { kind: 'document'; document: AdfDocument }
  | { kind: 'refused'; message: string }
)

/**
 * Reads the bytes of an ADF document. Only for a thread: it blocks until the document is read.
 * `isText`: the bytes are the UTF-8 of a text, whatever its declaration says.
 */
export function parseAdf(bytes: Uint8Array, { isText = false } = {}): ParsedAdf {
  let encoding: string | null = null
  let text: string | null = null
  try {
    if (bytes.length > ADF_BOUNDS.bytes)
      throw new AdfRefusal(`The document is larger than ${ADF_BOUNDS.bytes / 1_000_000} MB.`)
    const decoded = isText ? asText(bytes) : decodeAdf(bytes)
    encoding = decoded.encoding
    text = storable(decoded.text)
    return { kind: 'document', text, encoding, document: readText(decoded.text, decoded.warnings) }
  } catch (error) {
    if (!(error instanceof AdfRefusal)) throw error
    text ??= storable(new TextDecoder('latin1').decode(bytes.subarray(0, ADF_BOUNDS.bytes)))
    return { kind: 'refused', text, encoding, message: error.message }
  }
}

function asText(bytes: Uint8Array): ReturnType<typeof decodeAdf> {
  if (bytes.length === 0) throw new AdfRefusal('The document is empty.')
  return { text: new TextDecoder().decode(bytes), encoding: 'utf-8', warnings: [] }
}

/** The database stores no zero characters. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '')

function readText(sent: string, found: readonly AdfWarning[]): AdfDocument {
  const { text, warnings: around } = bareDocument(sent)
  // Some senders escape the whole document.
  const isEscaped = /&lt;(?:\?|adf\b)/i.test(text) && !/<(?:adf|prospect)\b/i.test(text)
  const { xml, around: words, warnings } = cleanAdf(isEscaped ? decodeEntities(text) : text)
  const root = parseXml(xml)
  const unknown = new Set<string>()
  const tree = elementOf(root, unknown)
  const more = [...unknown].slice(0, 5).map((entity) => adfWarning('unknownEntity', entity))
  const document = readAdf(tree, [...found, ...around, ...warnings, ...more])
  if (document.leads.length + document.unusable.length === 0)
    throw new AdfRefusal('The document has no "prospect" element, so it has no lead.')
  const texts = textNamed('text_around_the_lead', withoutForbidden(decodeEntities(words)))
  return {
    leads: document.leads.map((lead) => withTexts(lead, texts)),
    unusable: document.unusable.map((one) => ({ ...one, lead: withTexts(one.lead, texts) })),
  }
}

/** A node of the parser: its name is the key that isn't `:@`. */
type Parsed = Readonly<Record<string, unknown>>
const ATTRIBUTES = ':@'
const TEXT = '#text'
const CDATA = '#cdata'

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  textNodeName: TEXT,
  cdataPropName: CDATA,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  removeNSPrefix: true,
  // It doesn't know the names for accented letters. Ours are replaced afterwards, once.
  processEntities: false,
  maxNestedTags: ADF_BOUNDS.depth + 2,
  transformTagName: (name) => name.toLowerCase(),
  transformAttributeName: (name) => name.toLowerCase(),
})

/** @throws AdfRefusal if the document isn't well-formed; the parser itself would accept unclosed elements */
function parseXml(xml: string): Parsed {
  if (xml.trim() === '') throw new AdfRefusal('The document is empty.')
  let whole = xml
  let checked = XMLValidator.validate(whole)
  if (checked !== true && checked.err.msg.startsWith('Multiple possible root nodes')) {
    whole = `<documents>${xml}</documents>`
    checked = XMLValidator.validate(whole)
  }
  if (checked !== true) {
    throw notWellFormed(checked.err)
  }
  let nodes: unknown
  try {
    nodes = parser.parse(whole)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new AdfRefusal(`The document can't be read as XML: ${reason.slice(0, 200).replace(/\.?$/, '.')}`)
  }
  const root = Array.isArray(nodes) ? nodes.find((node) => isNode(node) && nameOf(node) !== TEXT) : undefined
  if (!isNode(root)) throw new AdfRefusal('The document has no element.')
  return root
}

function notWellFormed({ msg, line }: { msg: string; line: number }): AdfRefusal {
  const root = /^Unclosed tag '([^']*)'/.exec(msg)?.[1]
  const several = /^Invalid '\[(.*)\]' found/s.exec(msg)?.[1]?.match(/"[^"]*"/g) ?? []
  const open = root === undefined ? several : [`"${root}"`]
  if (open.length > 0)
    return new AdfRefusal(
      `The document is incomplete: it ends before ${open.slice(0, 5).join(', ')} is closed.`,
    )
  return new AdfRefusal(
    `The document is not well-formed XML (line ${line}): ${msg.slice(0, 200).replace(/\.?$/, '.')}`,
  )
}

const isNode = (value: unknown): value is Parsed => typeof value === 'object' && value !== null
const nameOf = (node: Parsed): string => Object.keys(node).find((key) => key !== ATTRIBUTES) ?? ''

function elementOf(node: Parsed, unknown: Set<string>): AdfElement {
  const name = nameOf(node)
  const given = node[ATTRIBUTES]
  const inner = node[name]
  const attributes = Object.fromEntries(
    Object.entries(isNode(given) ? given : {}).map(([key, value]) => [key, textOf(value, unknown)]),
  )
  const pieces = (Array.isArray(inner) ? inner : []).flatMap((child): Piece[] => {
    if (!isNode(child)) return []
    const childName = nameOf(child)
    if (childName === TEXT) return [textOf(child[TEXT], unknown)]
    return [childName === CDATA ? cdataOf(child[CDATA]) : elementOf(child, unknown)]
  })
  return { name, attributes, ...withInlineTags(name, pieces) }
}

function textOf(value: unknown, unknown: Set<string>): string {
  const raw = typeof value === 'string' ? value : ''
  for (const [entity] of raw.matchAll(/&[a-z]\w{1,30};/gi))
    if (decodeEntities(entity) === entity) unknown.add(entity)
  return withoutForbidden(decodeEntities(raw))
}

function cdataOf(value: unknown): string {
  const texts = Array.isArray(value) ? value : []
  return withoutForbidden(
    texts.map((node) => (isNode(node) && typeof node[TEXT] === 'string' ? node[TEXT] : '')).join(''),
  )
}
