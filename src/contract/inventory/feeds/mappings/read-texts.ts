// Runs are counted out: on a million commas an open one takes hours.
const STARTS = /[|,;\s^~]{1,20}(?=(?:https?:)?\/\/)/i

/** Addresses in one text, whatever stands between them; a comma inside an address stays in it. */
export function readAddresses(texts: readonly string[], separators?: string): string[] {
  const parts = texts.flatMap((text) => {
    const fromJson = text.startsWith('[') ? addressesInJson(text) : []
    if (fromJson.length > 0) return fromJson
    return separators === undefined ? text.split(STARTS) : text.split(signs(separators))
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

/** A list in one text. Without separators bars or line breaks, else semicolons, else commas. */
export function readTexts(texts: readonly string[], separators?: string): string[] {
  const parts = texts.flatMap((text) => {
    if (separators !== undefined) return text.split(signs(separators))
    if (/[|\n^~]/.test(text)) return text.split(/[|\n^~]+/)
    return text.split(text.includes(';') ? /;/ : /,(?!\d{3}\b)/)
  })
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))]
}

/** Splits at each of the signs. */
export function signs(separators: string): RegExp {
  return new RegExp(`[${separators.replace(/[\\\]^-]/g, '\\$&')}]`)
}

/** Text without tags, control characters and blanks around it, at most `max` characters. */
export function plainText(given: string, max: number, keepsLines: boolean): string {
  // Tags take room that the words do not; what lies far behind is cut anyway.
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
