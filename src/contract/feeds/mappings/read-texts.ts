// The repeat count is bounded: on a million commas an unbounded one takes hours.
const STARTS = /[|,;\s^~]{1,20}(?=(?:https?:)?\/\/)/i

/** The URLs in a text, whatever separates them; a comma inside a URL is kept. */
export function readAddresses(texts: readonly string[], separators?: string): string[] {
  const parts = texts.flatMap((text) => {
    const fromJson = text.startsWith('[') ? addressesInJson(text) : []
    if (fromJson.length > 0) return fromJson
    return separators === undefined ? text.split(STARTS) : text.split(separatorPattern(separators))
  })
  const trimmed = parts
    .map((part) => part.trim().replace(/^["']|["'|,;]{1,20}$/g, ''))
    .filter((part) => part !== '')
  return [...new Set(trimmed.map((part) => (part.startsWith('//') ? `https:${part}` : part)))]
}

/** Meta writes `[{"url":"..."}]` into a column. */
function addressesInJson(text: string): string[] {
  return [...text.matchAll(/"((?:https?:)?\/\/[^"\s]+)"/gi)].map(([, address = '']) => address)
}

/** A list in a text. By default split at bars or line breaks, else semicolons, else commas. */
export function readTexts(texts: readonly string[], separators?: string): string[] {
  const parts = texts.flatMap((text) => {
    if (separators !== undefined) return text.split(separatorPattern(separators))
    if (/[|\n^~]/.test(text)) return text.split(/[|\n^~]+/)
    return text.split(text.includes(';') ? /;/ : /,(?!\d{3}\b)/)
  })
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))]
}

/** Matches any one of the separator characters. */
export function separatorPattern(separators: string): RegExp {
  return new RegExp(`[${separators.replace(/[\\\]^-]/g, '\\$&')}]`)
}

/** Text without tags, control characters and surrounding blanks, at most `max` characters. */
export function plainText(given: string, max: number, keepsLines: boolean): string {
  // Allow extra room for tags; anything far beyond it would be cut off anyway.
  const text = given.slice(0, max * 5 + 2_000)
  const withoutTags = text.includes('<')
    ? text.replace(/<(br|p|li|div)\b[^>]{0,200}>/gi, '\n').replace(/<\/?[a-z][^>]{0,500}>/gi, '')
    : text
  const lines = keepsLines
    ? withoutTags
        .replace(/\r\n?/g, '\n')
        .replace(/[^\S\n]+/g, ' ')
        .replace(/\n{3,}/g, '\n\n')
    : withoutTags.replace(/\s+/g, ' ')
  const clean = lines
    .replace(/[^\P{Cc}\n]|[\uFFFE\uFFFF]/gu, '')
    .toWellFormed()
    .trim()
  return clean.length > max ? Array.from(clean.slice(0, max)).join('').toWellFormed() : clean
}
