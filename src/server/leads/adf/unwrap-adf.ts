import { parseJson, type ParsedJson } from '#server/threads/parse-json.ts'
import { ADF_BOUNDS } from './adf-bounds.ts'
import { isRawMail } from './raw-mail.ts'

/** The start of an ADF document, also if it is escaped as a text of XML. */
const STARTS_ADF = /(?:<|&lt;)(?:\?\s{0,20})?(?:adf|prospect)\b/i
/** The most values of a JSON object that are looked at. */
const MAX_VALUES = 1_000
/** What was sent. `message`: an email within it. `json`: an object that isn't only the wrapper of documents or emails. */
export type Unwrapped =
  | { kind: 'plain' }
  | { kind: 'document'; xml: string }
  | { kind: 'message'; message: Uint8Array }
  | ParsedJson

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
  const message = isForm ? messageInForm(start) : null
  if (message !== null) return { kind: 'message', message }
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
  if (isEmail(parsed.value)) return parsed
  const strings = stringsIn(parsed.value)
  const message = messageIn(strings)
  if (message !== null) return { kind: 'message', message }
  const found = documentsIn(strings)
  return found === null ? parsed : { kind: 'document', xml: found }
}

/** The fields in which mail services post the whole message. */
const MESSAGE_FIELD =
  /(?:^|&)(?:body-mime|email|raw|mime|message|raw_?email|raw_?message|rfc822)=([^&]{100,})/i

function messageInForm(form: string): Uint8Array | null {
  const value = MESSAGE_FIELD.exec(form)?.[1]
  if (value === undefined) return null
  const bytes = percentDecoded(value)
  return isRawMail(bytes) ? bytes : null
}

/** Byte by byte: the parts of a message have encodings of their own. */
function percentDecoded(value: string): Uint8Array {
  const text = Buffer.from(value.replaceAll('+', ' '))
  const bytes = Buffer.alloc(text.length)
  let length = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text[at] === 0x25 ? Number.parseInt(text.toString('latin1', at + 1, at + 3), 16) : Number.NaN
    const isCode = !Number.isNaN(code)
    bytes[length] = isCode ? code : (text[at] ?? 0)
    length += 1
    if (isCode) at += 2
  }
  return bytes.subarray(0, length)
}

/** A message as it is, in base64 (as Amazon SES and Gmail have it), or in the JSON that a notification has as a text. */
function messageIn(strings: readonly string[]): Uint8Array | null {
  for (const text of strings) {
    if (text.length < 100) continue
    if (isRawMail(text)) return Buffer.from(text)
    if (/^[\w+/-]{100,}/.test(text)) {
      const start = Buffer.from(text.slice(0, 90_000), 'base64')
      if (isRawMail(start)) return Buffer.from(text, 'base64')
    }
    if (/^\s*\{/.test(text)) {
      const inner = parseJson(text)
      const found =
        inner.kind === 'json' ? messageIn(stringsIn(inner.value).filter((one) => one !== text)) : null
      if (found !== null) return found
    }
  }
  return null
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
