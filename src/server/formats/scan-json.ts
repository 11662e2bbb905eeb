import { FeedRefusal, MAX_RAW_LENGTH, MAX_ROW_LENGTH } from './feed-refusal.ts'

/** The text of one object that is a row. `path`: the keys that lead to it. */
export type JsonPiece = { line: number; path: string; text: string; problem: string | null }

type Level = { kind: '{' | '['; key: string }

const MAX_DEPTH = 64

/**
 * Splits streamed JSON into the objects at a path, without parsing the rest. Path null: the objects of every array, and
 * consecutive objects at the top level. @throws FeedRefusal with the line.
 */
export function jsonScanner(wanted: string | null): {
  push: (text: string, isEnd: boolean) => Generator<JsonPiece>
} {
  let buffer = ''
  let line = 1
  let at = 0
  const levels: Level[] = []
  /** The row being read. */
  let row: { start: number; line: number; depth: number; cut: string | null } | null = null
  let key = ''
  let isInText = false
  let textStart = 0

  return {
    *push(text, isEnd) {
      buffer += text
      for (; at < buffer.length; at += 1) {
        const sign = buffer[at] ?? ''
        if (sign === '\n') line += 1
        if (isInText) {
          if (sign === '\\') {
            if (at + 1 >= buffer.length && !isEnd) break
            at += 1
          } else if (sign === '"') {
            isInText = false
            if (row === null) key = buffer.slice(textStart + 1, at)
          }
          continue
        }
        if (sign === '"') {
          isInText = true
          textStart = at
          continue
        }
        if (sign === '{' || sign === '[') {
          if (row !== null) row.depth += 1
          else open(sign)
        } else if (sign === '}' || sign === ']') {
          const ended = row
          if (ended === null) {
            if (levels.pop() === undefined) throw new FeedRefusal(`Unexpected ${sign}.`, line)
            continue
          }
          ended.depth -= 1
          if (ended.depth > 0) continue
          yield piece(ended)
          row = null
        }
      }
      drop()
      if (!isEnd) return
      if (row !== null || isInText || levels.length > 0) {
        throw new FeedRefusal('The file is incomplete: it ends in the middle of a value.', line)
      }
    },
  }

  function open(sign: '{' | '['): void {
    const top = levels.at(-1)
    const path = levels.flatMap(({ key: name }) => (name === '' ? [] : [name])).join('.')
    const isInList = top?.kind === '['
    // An object at the top level is a row only if the caller asks for the top level.
    const isTop = top === undefined && sign === '{' && wanted === ''
    if (sign === '{' && ((isInList && (wanted === null || path === wanted)) || isTop)) {
      row = { start: at, line, depth: 1, cut: null }
      return
    }
    if (levels.length >= MAX_DEPTH)
      throw new FeedRefusal(`The JSON is nested more than ${MAX_DEPTH} levels deep.`, line)
    levels.push({ kind: sign, key: top?.kind === '{' ? key : '' })
  }

  function piece({ start, line: begun, cut }: NonNullable<typeof row>): JsonPiece {
    const path = levels.flatMap(({ key: name }) => (name === '' ? [] : [name])).join('.')
    const text = cut ?? buffer.slice(start, at + 1)
    const isLong = cut !== null || text.length > MAX_ROW_LENGTH
    const problem = isLong
      ? `The row is longer than ${MAX_ROW_LENGTH.toLocaleString('en')} characters.`
      : null
    return { line: begun, path, text: isLong ? text.slice(0, MAX_RAW_LENGTH) : text, problem }
  }

  /** Discards what was read. Of a row over the limit only the beginning is kept. */
  function drop(): void {
    const from = row?.start ?? (isInText ? textStart : at)
    if (row !== null && row.cut === null && buffer.length - row.start > MAX_ROW_LENGTH) {
      row.cut = buffer.slice(row.start, row.start + MAX_RAW_LENGTH)
    }
    const keep = row !== null && row.cut !== null ? at : Math.min(from, at)
    if (isInText && row === null && buffer.length - textStart > MAX_ROW_LENGTH) {
      throw new FeedRefusal('A text value is not closed.', line)
    }
    buffer = buffer.slice(keep)
    at -= keep
    textStart -= keep
    if (row !== null) row.start -= keep
  }
}
