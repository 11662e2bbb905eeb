import { inflateSync } from 'node:zlib'

/** What a PDF says about itself, and its text. The words of a line are one after the other, without the spaces between cells. */
export function readPdf(pdf: Buffer) {
  const source = pdf.toString('latin1')
  const streams = [...source.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, body = '']) => body)
  const fonts = streams.filter((text) => text.includes('beginbfchar')).map(signsOf)
  const shown = streams
    .map((body) => inflated(Buffer.from(body, 'latin1')))
    .flatMap((text) => [...text.matchAll(SHOWN)])
    .map(([, words = '']) => glyphsIn(words))
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

/** Strings, alone or with distances between them. A string may have any character, also a bracket. */
const SHOWN = /(\[(?:\((?:\\[\s\S]|[^\\)])*\)|[^\]()])*\]|\((?:\\[\s\S]|[^\\)])*\)) T[jJ]\n/g

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

/** Two bytes for each glyph, in strings such as `(\000\001)`. */
function glyphsIn(words: string): number[] {
  const bytes = [...words.matchAll(/\(((?:\\[\s\S]|[^\\)])*)\)/g)]
    .map(([, text = '']) =>
      text.replaceAll(/\\(\d{3}|[\s\S])/g, (_, code: string) =>
        code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPES[code] ?? code),
      ),
    )
    .join('')
  return Array.from(
    { length: bytes.length / 2 },
    (_, at) => bytes.charCodeAt(at * 2) * 256 + bytes.charCodeAt(at * 2 + 1),
  )
}

function inflated(bytes: Buffer): string {
  try {
    return inflateSync(bytes).toString('latin1')
  } catch {
    return ''
  }
}
