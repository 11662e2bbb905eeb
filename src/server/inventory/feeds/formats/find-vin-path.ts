type Level = { sign: '{' | '['; key: string }

const TOKEN = /"((?:[^"\\]|\\.)*)"(\s*:)?|[{}[\]]/g
const VIN = /^(?=.*\d)(?=.*[A-Z])[A-HJ-NPR-Z0-9]{17}$/i

/**
 * Finds vehicles in nested lists such as `groups.items`: the list of objects with the most distinct VINs. Null if there are no
 * VINs near the beginning.
 */
export function findVinPath(sample: string): string | null {
  const levels: Level[] = []
  const found = new Map<string, Set<string>>()
  let key = ''
  for (const [token, text, isKey] of sample.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      levels.push({ sign: token, key: levels.at(-1)?.sign === '{' ? key : '' })
    } else if (token === '}' || token === ']') {
      levels.pop()
    } else if (isKey !== undefined) {
      key = text ?? ''
    } else if (text !== undefined && VIN.test(text.trim())) {
      const path = pathOf(levels)
      if (path !== null) found.set(path, (found.get(path) ?? new Set()).add(text))
    }
  }
  const [best] = [...found].toSorted(
    ([one, its], [other, theirs]) => theirs.size - its.size || one.length - other.length,
  )
  return best?.[0] ?? null
}

/** The path to the nearest list that contains this object. */
function pathOf(levels: readonly Level[]): string | null {
  const at = levels.findLastIndex(({ sign }, index) => sign === '[' && levels[index + 1]?.sign === '{')
  if (at < 0) return null
  return levels
    .slice(0, at + 1)
    .flatMap(({ key }) => (key === '' ? [] : [key]))
    .join('.')
}
