import { parseJson, type ParsedJson } from '#server/threads/parse-json.ts'
import { ADF_BOUNDS } from './adf-bounds.ts'

/** The start of an ADF document, also if it is escaped as a text of XML. */
const STARTS_ADF = /(?:<|&lt;)(?:\?\s{0,20})?(?:adf|prospect)\b/i
/** The most values of a JSON object that are looked at. */
const MAX_VALUES = 1_000
/** What was sent. `json`: an object that isn't only the wrapper of documents. */
export type Unwrapped = { kind: 'plain' } | { kind: 'document'; xml: string } | ParsedJson

/**
 * Finds the documents inside what senders wrap around them: a field of a form, or a property of a JSON object. The content
 * type isn't trusted, because many senders leave out the right one.
 */
export function unwrapAdf(text: string, contentType: string): Unwrapped {
  const start = text.trimStart()
  // Also `application/x-www-form-urlencoded`, which some programs send for every body.
  if (start.startsWith('<')) return { kind: 'plain' }
  if (/^[[{"]/.test(start)) return unwrapJson(start)
  // Not encoded, as by a program that puts the document after the name of the field.
  const [written, name] = /^([\w.-]{1,100})=\s*(?=<)/.exec(start) ?? []
  if (written !== undefined && name !== undefined)
    return { kind: 'document', xml: start.slice(written.length) }
  const isForm = /x-www-form-urlencoded/i.test(contentType) || /^[\w.%-]{1,100}=(?:%3c|%26lt)/i.test(start)
  // A form that is too long for a document isn't taken apart: each of its fields needs memory.
  const isLong = start.length > ADF_BOUNDS.bytes || start.split('&', MAX_VALUES).length === MAX_VALUES
  if (!isForm || isLong) return { kind: 'plain' }
  const found = documentsIn([...new URLSearchParams(start.trimEnd()).values()])
  return found === null ? { kind: 'plain' } : { kind: 'document', xml: found }
}

function unwrapJson(text: string): Unwrapped {
  const parsed = parseJson(text)
  if (parsed.kind === 'damaged json' && STARTS_ADF.test(text)) return { kind: 'plain' }
  if (parsed.kind !== 'json') return parsed
  const found = documentsIn(stringsIn(parsed.value))
  return found === null || isEmail(parsed.value) ? parsed : { kind: 'document', xml: found }
}

/** An email of Postmark has documents too. */
const isEmail = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'MessageID' in value &&
  ('From' in value || 'FromFull' in value)

function documentsIn(texts: readonly string[]): string | null {
  const documents = texts.filter((text) => STARTS_ADF.test(text))
  return documents.length === 0 ? null : documents.join('\n')
}

function stringsIn(value: unknown): string[] {
  const texts: string[] = []
  const open: unknown[] = [value]
  for (let at = 0; at < open.length; at += 1) {
    const next = open[at]
    if (typeof next === 'string') texts.push(next)
    else if (typeof next === 'object' && next !== null)
      open.push(...Object.values(next).slice(0, MAX_VALUES - open.length))
  }
  return texts
}
