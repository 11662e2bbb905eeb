import { inflateSync } from 'node:zlib'

/** What a PDF says about itself, and its text. The words of a line are one after the other, without the spaces between cells. */
export function readPdf(pdf: Buffer) {
  const source = pdf.toString('latin1')
  const streams = [...source.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, body = '']) => body)
  const fonts = streams.filter((text) => text.includes('beginbfchar')).map(signsOf)
  const shown = streams
    .map((body) => inflated(Buffer.from(body, 'latin1')))
    .flatMap(shownIn)
    .map(glyphsIn)
  return {
    pages: source.match(/\/Type \/Page\b/g)?.length ?? 0,
    isTagged: /\/StructTreeRoot \d/.test(source) && /\/Marked true/.test(source),
    isAccessible: source.includes('pdfuaid:part'),
    language: /\/Lang \(([^)]*)\)/.exec(source)?.[1] ?? null,
    roles: new Set([...source.matchAll(/\/S \/(\w+)/g)].map(([, role = '']) => role)),
    // Of the product, they are JSON.
    attachments: [
      ...source.matchAll(/\/Type \/EmbeddedFile[\s\S]*?stream\r?\n([\s\S]*?)\r?\nendstream/g),
    ].map(([, body = '']) => inflateSync(Buffer.from(body, 'latin1')).toString()),
    // Every text with every font: only the right one gives words.
    text: fonts
      .map((signs) => shown.map((glyphs) => glyphs.map((glyph) => signs.get(glyph) ?? '').join('')).join(''))
      .join('\n'),
  }
}

/** The bytes of the strings of each text that a page shows. A string may have any byte, also brackets in pairs. */
function shownIn(content: string): string[] {
  const shown: string[] = []
  let strings = ''
  for (let at = 0; at < content.length; at++) {
    if (content[at] === '(') {
      const end = endOfString(content, at)
      strings += unescaped(content.slice(at + 1, end))
      at = end
    } else if (content[at] === 'T' && /[jJ]/.test(content[at + 1] ?? '')) {
      shown.push(strings)
      strings = ''
    }
  }
  return shown
}

function endOfString(content: string, from: number): number {
  let depth = 0
  for (let at = from; at < content.length; at++) {
    if (content[at] === '\\') at++
    else if (content[at] === '(') depth++
    else if (content[at] === ')' && --depth === 0) return at
  }
  return content.length
}

/** `<0001> <0055>`: the characters of a glyph. */
function signsOf(map: string): Map<number, string> {
  const found = [...map.matchAll(/<(\w{4})> <(\w+)>/g)]
  return new Map(
    found.map(([, glyph = '', units = '']) => [
      Number.parseInt(glyph, 16),
      String.fromCharCode(...(units.match(/\w{4}/g) ?? []).map((four) => Number.parseInt(four, 16))),
    ]),
  )
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

const unescaped = (text: string): string =>
  text.replaceAll(/\\(\d{3}|[\s\S])/g, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPES[code] ?? code),
  )

/** Two bytes for each glyph. */
const glyphsIn = (bytes: string): number[] =>
  Array.from(
    { length: Math.floor(bytes.length / 2) },
    (_, at) => bytes.charCodeAt(at * 2) * 256 + bytes.charCodeAt(at * 2 + 1),
  )

function inflated(bytes: Buffer): string {
  try {
    return inflateSync(bytes).toString('latin1')
  } catch {
    return ''
  }
}
