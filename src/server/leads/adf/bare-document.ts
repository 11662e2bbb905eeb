import { adfWarning, type AdfWarning } from '#contract/leads/adf/adf-warnings.ts'

const DOCUMENT = /<(?:\?\s{0,20})?(?:[\w-]{1,40}:)?(?:adf|prospect)\b/i

/** A document without what forwarding put around it: `> ` before each line, or a comment. */
export function bareDocument(sent: string): { text: string; warnings: AdfWarning[] } {
  const unquoted = withoutQuotes(sent)
  const uncommented = outOfComment(unquoted ?? sent)
  return {
    text: uncommented ?? unquoted ?? sent,
    warnings: [
      ...(unquoted === null ? [] : [adfWarning('quoted')]),
      ...(uncommented === null ? [] : [adfWarning('inComment')]),
    ],
  }
}

/** Null if the lines from the start of the document to its end aren't quoted. The first one may have lost its sign. */
function withoutQuotes(text: string): string | null {
  if (!/^[ \t]*>/m.test(text)) return null
  const start = text.search(DOCUMENT)
  const end = text.toLowerCase().lastIndexOf('</')
  if (start < 0 || end <= start) return null
  const lines = text.slice(start, end).split('\n').slice(1)
  const filled = lines.filter((line) => line.trim() !== '')
  if (filled.length === 0 || !filled.every((line) => /^[ \t]*>/.test(line))) return null
  return text.replace(/^[ \t]*(?:>[ \t]?)+/gm, '')
}

/** Null if the document isn't only in a comment. */
function outOfComment(text: string): string | null {
  if (!text.includes('<!--')) return null
  const inside: string[] = []
  const outside: string[] = []
  let at = 0
  for (let start = text.indexOf('<!--'); start >= 0; start = text.indexOf('<!--', at)) {
    const end = text.indexOf('-->', start + 4)
    if (end < 0) return null
    outside.push(text.slice(at, start))
    inside.push(text.slice(start + 4, end))
    at = end + 3
  }
  outside.push(text.slice(at))
  const hasOutside = outside.some((part) => DOCUMENT.test(part) || /&lt;(?:\?|adf\b)/i.test(part))
  const found = inside.filter((part) => DOCUMENT.test(part))
  return hasOutside || found.length === 0 ? null : found.join('\n')
}
