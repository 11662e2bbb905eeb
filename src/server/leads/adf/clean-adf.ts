import { adfWarning, type AdfWarning, type AdfWarningCode } from '#contract/leads/adf/adf-warnings.ts'
import { ADF_BOUNDS } from './adf-bounds.ts'
import { AdfRefusal } from './adf-refusal.ts'

/** `around`: text before and after the lead, or nothing. */
type Cleaned = { xml: string; around: string; warnings: AdfWarning[] }

/**
 * Checks the bounds of a document and prepares it for the parser, in one pass: without comments, processing instructions and
 * document type, wherever they are and however they are written, with `&` escaped and attributes quoted. Line breaks stay, so
 * that the parser's line numbers are right.
 * @throws AdfRefusal
 */
export function cleanAdf(text: string): Cleaned {
  const found = new Set<AdfWarningCode>()
  const parts: string[] = []
  const count = { references: 0, tags: 0, depth: 0, comments: 0 }
  let hasInstruction = false
  let isAtStart = true
  let at = 0
  while (at < text.length) {
    const tag = text.indexOf('<', at)
    const end = tag < 0 ? text.length : tag
    const between = text.slice(at, end)
    if (between !== '') parts.push(cleanText(between, count, found))
    if (tag < 0) break
    isAtStart &&= between.trim() === ''
    const piece = readMarkup(text, tag)
    if (piece.kind === 'instruction') {
      const name = /^<\?\s*([\w-]*)/.exec(piece.raw)?.[1]?.toLowerCase()
      if (name === 'adf') hasInstruction = true
      if (name === 'xml' && !isAtStart) found.add('lateDeclaration')
    }
    isAtStart = false
    if (piece.kind === 'doctype') found.add('documentTypeIgnored')
    parts.push(cleanMarkup(piece, count, found))
    at = tag + piece.raw.length
  }
  if (!hasInstruction) found.add('noAdfInstruction')
  const { xml, around } = cutAround(parts.join(''), found)
  return { xml, around, warnings: [...found].map((code) => adfWarning(code)) }
}

type Markup = { kind: 'comment' | 'instruction' | 'doctype' | 'cdata' | 'tag' | 'text'; raw: string }

function readMarkup(text: string, at: number): Markup {
  if (text.startsWith('<!--', at)) return { kind: 'comment', raw: until(text, at, '-->', 'comment') }
  if (text.startsWith('<![CDATA[', at)) return { kind: 'cdata', raw: until(text, at, ']]>', 'CDATA section') }
  if (text[at + 1] === '?') return { kind: 'instruction', raw: readInstruction(text, at) }
  if (text[at + 1] === '!') return { kind: 'doctype', raw: readDoctype(text, at) }
  if (!/[a-z_/]/i.test(text[at + 1] ?? '')) return { kind: 'text', raw: '<' }
  return { kind: 'tag', raw: readTag(text, at) }
}

function until(text: string, at: number, end: string, what: string): string {
  const found = text.indexOf(end, at + 2)
  if (found < 0) throw new AdfRefusal(`The document is incomplete: it ends inside a ${what}.`)
  return text.slice(at, found + end.length)
}

/** `<?adf version="1.0">` without the second question mark is common. */
function readInstruction(text: string, at: number): string {
  const isKnown = /^<\?\s*(?:xml|adf)\b/i.test(text.slice(at, at + 12))
  return until(text, at, isKnown ? '>' : '?>', 'processing instruction')
}

/** Nothing that a document type refers to is ever loaded. One that declares entities is refused. */
function readDoctype(text: string, at: number): string {
  if (!/^<!doctype\b/i.test(text.slice(at, at + 10)))
    throw new AdfRefusal('The document contains a declaration ("<!…>") outside of a document type.')
  let quote = ''
  for (let i = at; i < text.length; i += 1) {
    const sign = text[i] ?? ''
    if (quote !== '') quote = sign === quote ? '' : quote
    else if (sign === '"' || sign === "'") quote = sign
    else if (sign === '[')
      throw new AdfRefusal(
        'The document declares its own document type (DOCTYPE) or entities, which is not allowed.',
      )
    else if (sign === '>') return text.slice(at, i + 1)
  }
  throw new AdfRefusal('The document is incomplete: it ends inside its document type.')
}

function readTag(text: string, at: number): string {
  let quote = ''
  for (let i = at + 1; i < text.length; i += 1) {
    const sign = text[i] ?? ''
    if (quote !== '') quote = sign === quote ? '' : quote
    else if (sign === '"' || sign === "'") quote = sign
    else if (sign === '>') return text.slice(at, i + 1)
  }
  throw new AdfRefusal('The document is incomplete: it ends inside a tag.')
}

type Count = { references: number; tags: number; depth: number; comments: number }

function cleanMarkup({ kind, raw }: Markup, count: Count, found: Set<AdfWarningCode>): string {
  if (kind === 'cdata') return raw
  if (kind === 'text') {
    found.add('bareAmpersand')
    return '&lt;'
  }
  if (kind === 'tag') return cleanTag(raw, count, found)
  if (kind === 'comment') {
    count.comments += raw.length
    if (count.comments > ADF_BOUNDS.comments) throw tooMuch(ADF_BOUNDS.comments, 'characters in comments')
  }
  return raw.replace(/[^\n]+/g, '')
}

function cleanTag(raw: string, count: Count, found: Set<AdfWarningCode>): string {
  count.tags += 1
  if (count.tags > ADF_BOUNDS.tags) throw tooMuch(ADF_BOUNDS.tags, 'tags')
  if (raw.startsWith('</')) count.depth -= 1
  else if (!raw.endsWith('/>')) count.depth += 1
  if (count.depth > ADF_BOUNDS.depth)
    throw new AdfRefusal(`The elements are nested more than ${ADF_BOUNDS.depth} levels deep.`)
  const quoted = raw.replace(
    /"[^"]*"|'[^']*'|=(\s*)([^\s"'<>/]+)/g,
    (whole, _space: string, value?: string) => {
      if (value === undefined) return whole
      found.add('unquotedAttribute')
      return `="${value}"`
    },
  )
  return cleanText(quoted, count, found)
}

/** Escapes each `&` that doesn't start a reference. References are counted. */
function cleanText(text: string, count: Count, found: Set<AdfWarningCode>): string {
  if (!text.includes('&')) return text
  return text.replace(/&(#x[\da-f]{1,6};|#\d{1,7};|[a-z]\w{1,30};)?/gi, (whole, reference?: string) => {
    count.references += 1
    if (count.references > ADF_BOUNDS.references) throw tooMuch(ADF_BOUNDS.references, 'character references')
    if (reference !== undefined) return whole
    found.add('bareAmpersand')
    return '&amp;'
  })
}

const tooMuch = (most: number, what: string): AdfRefusal =>
  new AdfRefusal(`The document has more than ${most.toLocaleString('en')} ${what}.`)

/** Emails have a greeting before the document or a signature after it. */
function cutAround(xml: string, found: Set<AdfWarningCode>): Omit<Cleaned, 'warnings'> {
  const start = xml.search(/<(?:[\w-]+:)?(?:adf|prospect)\b/i)
  const before = start < 0 ? '' : xml.slice(0, start)
  const isText = before.trim() !== '' && !before.trimStart().startsWith('<')
  const end = /^[^]*<\/(?:[\w-]+:)?adf\s*>/i.exec(xml)?.[0].length ?? xml.length
  const after = xml.slice(end)
  const isTextAfter = after.trim() !== '' && !after.includes('<')
  if (!isText && !isTextAfter) return { xml, around: '' }
  found.add('textAround')
  const kept = isTextAfter ? xml.slice(0, end) : xml
  return {
    xml: isText ? before.replace(/[^\n]+/g, '') + kept.slice(start) : kept,
    around: [isText ? before : '', isTextAfter ? after : '']
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .join('\n'),
  }
}
