import { FeedRefusal, MAX_ROW_LENGTH } from './feed-refusal.ts'
import { decodeEntities } from './xml-entities.ts'

export type XmlToken =
  | { kind: 'open'; name: string; attributes: Readonly<Record<string, string>>; raw: string; line: number }
  | { kind: 'close'; name: string; raw: string; line: number }
  | { kind: 'text'; text: string; raw: string; line: number }

/** No feed is nested deeper than this. */
const MAX_DEPTH = 64

/**
 * Splits streamed XML into tags and texts. A document type that declares entities is rejected, which rules out entity
 * expansion attacks. Namespace prefixes (`g:price`) are dropped. Opening and closing tags must match.
 * @throws FeedRefusal with the line.
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
            throw new FeedRefusal(
              hasRoot ? 'There is text after the end of the document.' : "This isn't XML.",
              line,
            )
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
          `The file is incomplete: it ends inside <${inside.name}>, which starts on line ${inside.line}.`,
          line,
        )
      }
      if (isEnd && buffer !== '') throw new FeedRefusal('The file is incomplete: it ends inside a tag.', line)
    },
  }

  function refuseLong(at: number): void {
    if (buffer.length - at > MAX_ROW_LENGTH) {
      throw new FeedRefusal(
        `A tag or text has more than ${MAX_ROW_LENGTH.toLocaleString('en')} characters.`,
        line,
      )
    }
  }

  function endOfTag(at: number): number | null {
    if (buffer.startsWith('<!--', at)) return endAfter('-->', at + 4)
    if (buffer.startsWith('<![CDATA[', at)) return endAfter(']]>', at + 9)
    if (buffer.startsWith('<?', at)) return endAfter('?>', at + 2)
    // `<!-` may become a comment with the next chunk.
    if (buffer.startsWith('<!', at) && buffer.length - at < 9) return null
    let quote = ''
    for (let i = at + 1; i < buffer.length; i += 1) {
      const sign = buffer[i] ?? ''
      if (quote !== '') {
        if (sign === quote) quote = ''
      } else if (sign === '"' || sign === "'") quote = sign
      else if (sign === '[' && buffer.startsWith('<!', at)) throw customDoctype()
      else if (sign === '>') return i + 1
    }
    return null
  }

  function endAfter(end: string, from: number): number | null {
    const found = buffer.indexOf(end, from)
    return found < 0 ? null : found + end.length
  }

  function customDoctype(): FeedRefusal {
    return new FeedRefusal(
      'The file declares a custom document type (DOCTYPE), which is not supported.',
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
    if (name === '') throw new FeedRefusal('A tag has no name.', line)
    if (raw.startsWith('</')) {
      const opened = open.pop()
      if (opened?.name !== name) {
        const closes =
          opened === undefined ? 'no tag is open' : `<${opened.name}> from line ${opened.line} is open`
        throw new FeedRefusal(`Unexpected </${name}>: ${closes}.`, line)
      }
      yield { kind: 'close', name, raw, line }
      return
    }
    if (open.length === 0 && hasRoot)
      throw new FeedRefusal(`Unexpected <${name}> after the end of the document.`, line)
    hasRoot = true
    if (open.length >= MAX_DEPTH)
      throw new FeedRefusal(`Tags are nested more than ${MAX_DEPTH} levels deep.`, line)
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
