/**
 * The most values that JSON may have. `JSON.parse` needs 50 times the memory of a text of empty lists, and if that is more
 * than a thread may have, it ends the whole process.
 */
const MAX_JSON_VALUES = 100_000

/** `at`: the position of the error, if it is known. */
export type ParsedJson =
  | { kind: 'json'; value: unknown }
  | { kind: 'damaged json'; at: number | null }
  | { kind: 'large json' }

/** How text is refused that isn't JSON, or has too many values. */
export const JSON_REFUSALS = {
  'damaged json': 'The JSON is incomplete or not valid.',
  'large json': 'The JSON has more than 100,000 values.',
} as const

/** Parses JSON that anyone may have sent, unless it has more values than can be parsed in reasonable time. */
export function parseJson(text: string): ParsedJson {
  if (hasTooManyValues(text)) return { kind: 'large json' }
  try {
    const value: unknown = JSON.parse(text)
    return { kind: 'json', value }
  } catch (error) {
    const [, at] = /position (\d+)/.exec(error instanceof Error ? error.message : '') ?? []
    return { kind: 'damaged json', at: at === undefined ? null : Number(at) }
  }
}

/** Whether JSON has too many values to be parsed. Also of a text that isn't valid. */
export function hasTooManyValues(text: string): boolean {
  let count = 0
  for (let at = 0; at < text.length && count <= MAX_JSON_VALUES; at += 1) {
    const sign = text[at]
    if (sign === ',' || sign === '[' || sign === '{') count += 1
    if (sign === '"') at = endOfString(text, at)
  }
  return count > MAX_JSON_VALUES
}

function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return at
  }
  return text.length
}
