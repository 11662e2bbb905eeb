import { FeedRefusal, LONGEST_ROW } from './feed-refusal.ts'
import { decodeEntities } from './xml-entities.ts'

export type XmlToken =
  | { kind: 'open'; name: string; attributes: Readonly<Record<string, string>>; raw: string; line: number }
  | { kind: 'close'; name: string; raw: string; line: number }
  | { kind: 'text'; text: string; raw: string; line: number }

/** Deeper than this is no feed. */
const DEEPEST = 64

/**
 * Cuts text into the tags and texts of XML as it comes. Declares nothing and resolves nothing: a document type with
 * entities of its own is refused, so that none can grow. Prefixes of names (`g:price`) are left out. It watches that
 * tags close as they opened. @throws FeedRefusal with the line.
 */
export function xmlScanner(): { push: (text: string, isEnd: boolean) => Generator<XmlToken> } {
  let buffer = ''
  let line = 1
  let hasRoot = false
  const open: { name: string; line: number }[] = []

  return {
    *push(text, isEnd) {
      buffer += text
      let at = 0
      while (at < buffer.length) {
        const tag = buffer.indexOf('<', at)
        if (tag !== at) {
          if (tag < 0 && !isEnd) {
            refuseLong(at)
            break
          }
          const raw = buffer.slice(at, tag < 0 ? buffer.length : tag)
          if (open.length === 0 && raw.replace(/^\uFEFF/, '').trim() !== '') {
            throw new FeedRefusal(hasRoot ? 'Text behind the end of the document.' : 'This is no XML.', line)
          }
          yield { kind: 'text', text: decodeEntities(raw), raw, line }
          line += countLines(raw)
          at += raw.length
          continue
        }
        const end = endOfTag(at)
        if (end === null) {
          refuseLong(at)
          break
        }
        const raw = buffer.slice(at, end)
        yield* tokens(raw)
        line += countLines(raw)
        at = end
      }
      buffer = buffer.slice(at)
      const inside = open.at(-1)
      if (isEnd && inside !== undefined) {
        throw new FeedRefusal(
          `The file ends inside <${inside.name}>, which begins on line ${inside.line}: it was cut.`,
          line,
        )
      }
      if (isEnd && buffer !== '') throw new FeedRefusal('The file ends inside a tag: it was cut.', line)
    },
  }

  function refuseLong(at: number): void {
    if (buffer.length - at > LONGEST_ROW) {
      throw new FeedRefusal(
        `A tag or text is longer than ${LONGEST_ROW.toLocaleString('en')} characters.`,
        line,
      )
    }
  }

  function endOfTag(at: number): number | null {
    if (buffer.startsWith('<!--', at)) return behind('-->', at + 4)
    if (buffer.startsWith('<![CDATA[', at)) return behind(']]>', at + 9)
    if (buffer.startsWith('<?', at)) return behind('?>', at + 2)
    // `<!-` may become a comment with the next part.
    if (buffer.startsWith('<!', at) && buffer.length - at < 9) return null
    let quote = ''
    for (let i = at + 1; i < buffer.length; i += 1) {
      const sign = buffer[i] ?? ''
      if (quote !== '') {
        if (sign === quote) quote = ''
      } else if (sign === '"' || sign === "'") quote = sign
      else if (sign === '[' && buffer.startsWith('<!', at)) throw ownEntities()
      else if (sign === '>') return i + 1
    }
    return null
  }

  function behind(end: string, from: number): number | null {
    const found = buffer.indexOf(end, from)
    return found < 0 ? null : found + end.length
  }

  function ownEntities(): FeedRefusal {
    return new FeedRefusal(
      'The file declares a document type of its own (DOCTYPE). Such files are not read.',
      line,
    )
  }

  function* tokens(raw: string): Generator<XmlToken> {
    if (raw.startsWith('<?') || raw.startsWith('<!--')) return
    if (raw.startsWith('<![CDATA[')) {
      yield { kind: 'text', text: raw.slice(9, -3), raw, line }
      return
    }
    if (raw.startsWith('<!')) {
      if (/^<!doctype\s+html/i.test(raw)) throw new FeedRefusal('This is a web page, not a feed.', line)
      return
    }
    const name = plainName(/^<\/?\s*([^\s/>]+)/.exec(raw)?.[1] ?? '')
    if (name === '') throw new FeedRefusal('A tag without a name.', line)
    if (raw.startsWith('</')) {
      const opened = open.pop()
      if (opened?.name !== name) {
        const closes =
          opened === undefined ? 'nothing that is open' : `<${opened.name}> of line ${opened.line}`
        throw new FeedRefusal(`</${name}> closes ${closes}.`, line)
      }
      yield { kind: 'close', name, raw, line }
      return
    }
    if (open.length === 0 && hasRoot) throw new FeedRefusal(`<${name}> behind the end of the document.`, line)
    hasRoot = true
    if (open.length >= DEEPEST) throw new FeedRefusal(`Tags are nested more than ${DEEPEST} deep.`, line)
    const isEmpty = raw.endsWith('/>')
    yield { kind: 'open', name, attributes: readAttributes(raw), raw, line }
    if (isEmpty) yield { kind: 'close', name, raw: '', line }
    else open.push({ name, line })
  }
}

function readAttributes(raw: string): Record<string, string> {
  if (!raw.includes('=')) return {}
  const found = [...raw.matchAll(/\s([^\s=/>]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].slice(0, 100)
  return Object.fromEntries(
    found.map(([, name = '', double, single = '']) => [plainName(name), decodeEntities(double ?? single)]),
  )
}

function plainName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function countLines(raw: string): number {
  let count = 0
  for (let at = raw.indexOf('\n'); at >= 0; at = raw.indexOf('\n', at + 1)) count += 1
  return count
}
