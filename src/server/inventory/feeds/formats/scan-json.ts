import { FeedRefusal, KEPT_RAW, LONGEST_ROW } from './feed-refusal.ts'

/** One object that is a row, as text. `path`: the names on the way to it. */
export type JsonPiece = { line: number; path: string; text: string; problem: string | null }

type Level = { kind: '{' | '['; key: string }

const DEEPEST = 64

/**
 * Cuts JSON into the objects at a path as it comes, without building anything of the rest. Path null: the objects of
 * every array, and those at the top that follow each other. @throws FeedRefusal with the line.
 */
export function jsonScanner(wanted: string | null): {
  push: (text: string, isEnd: boolean) => Generator<JsonPiece>
} {
  let buffer = ''
  let line = 1
  let at = 0
  const levels: Level[] = []
  /** Of the row that is being read. */
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
            if (levels.pop() === undefined) throw new FeedRefusal(`${sign} closes nothing.`, line)
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
        throw new FeedRefusal('The file ends in the middle: it was cut.', line)
      }
    },
  }

  function open(sign: '{' | '['): void {
    const top = levels.at(-1)
    const path = levels.flatMap(({ key: name }) => (name === '' ? [] : [name])).join('.')
    const isInList = top?.kind === '['
    // An object at the top is a row only where others follow it line by line, or where it is asked for.
    const isTop = top === undefined && sign === '{' && wanted === ''
    if (sign === '{' && ((isInList && (wanted === null || path === wanted)) || isTop)) {
      row = { start: at, line, depth: 1, cut: null }
      return
    }
    if (levels.length >= DEEPEST) throw new FeedRefusal(`Nested more than ${DEEPEST} deep.`, line)
    levels.push({ kind: sign, key: top?.kind === '{' ? key : '' })
  }

  function piece({ start, line: begun, cut }: NonNullable<typeof row>): JsonPiece {
    const path = levels.flatMap(({ key: name }) => (name === '' ? [] : [name])).join('.')
    const text = cut ?? buffer.slice(start, at + 1)
    const isLong = cut !== null || text.length > LONGEST_ROW
    const problem = isLong ? `The row is longer than ${LONGEST_ROW.toLocaleString('en')} characters.` : null
    return { line: begun, path, text: isLong ? text.slice(0, KEPT_RAW) : text, problem }
  }

  /** Lets go of what was read. A row beyond its limit keeps its beginning alone. */
  function drop(): void {
    const from = row?.start ?? (isInText ? textStart : at)
    if (row !== null && row.cut === null && buffer.length - row.start > LONGEST_ROW) {
      row.cut = buffer.slice(row.start, row.start + KEPT_RAW)
    }
    const keep = row !== null && row.cut !== null ? at : Math.min(from, at)
    if (isInText && row === null && buffer.length - textStart > LONGEST_ROW) {
      throw new FeedRefusal('A text never ends.', line)
    }
    buffer = buffer.slice(keep)
    at -= keep
    textStart -= keep
    if (row !== null) row.start -= keep
  }
}
