type Level = { sign: '{' | '['; key: string; serial: number }

const TOKEN = /"((?:[^"\\]|\\.)*)"(\s*:)?|[{}[\]]/g
const VIN = /^(?=.*\d)(?=.*[A-Z])[A-HJ-NPR-Z0-9]{17}$/i

/** How many of the objects of a list may have more than one VIN, such as that of a trade-in. */
const MIN_SINGLE = 0.8

/**
 * Finds vehicles in nested lists such as `groups.items`: the outermost list whose objects have one VIN each. A list inside it,
 * with the identifiers or photos of one vehicle, is part of the row. Null if there are no VINs near the beginning.
 */
export function findVinPath(sample: string): string | null {
  const levels: Level[] = []
  /** The VINs of each object, by list. */
  const lists = new Map<string, Map<number, Set<string>>>()
  let [key, serial] = ['', 0]
  for (const [token, text, isKey] of sample.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      serial += 1
      levels.push({ sign: token, key: levels.at(-1)?.sign === '{' ? key : '', serial })
    } else if (token === '}' || token === ']') {
      levels.pop()
    } else if (isKey !== undefined) {
      key = text ?? ''
    } else if (text !== undefined && VIN.test(text.trim())) {
      for (const { path, object } of objectsAround(levels)) {
        const objects = lists.get(path) ?? new Map<number, Set<string>>()
        objects.set(object, (objects.get(object) ?? new Set()).add(text))
        lists.set(path, objects)
      }
    }
  }
  const all = [...lists].toSorted(([one], [other]) => one.length - other.length)
  const most = Math.max(0, ...all.map(([, objects]) => vinsIn(objects)))
  const isRows = ([, objects]: (typeof all)[number]): boolean => {
    const single = [...objects.values()].filter((vins) => vins.size === 1).length
    return objects.size > 1 && single >= objects.size * MIN_SINGLE && vinsIn(objects) >= most * MIN_SINGLE
  }
  return (all.find(isRows) ?? all.at(-1))?.[0] ?? null
}

const vinsIn = (objects: ReadonlyMap<number, ReadonlySet<string>>): number =>
  new Set([...objects.values()].flatMap((vins) => [...vins])).size

/** The objects in lists that contain the current place, with the paths of their lists, outermost first. */
function objectsAround(levels: readonly Level[]): { path: string; object: number }[] {
  return levels.flatMap(({ sign }, at) => {
    const object = levels[at + 1]
    if (sign !== '[' || object?.sign !== '{') return []
    const keys = levels.slice(0, at + 1).flatMap(({ key }) => (key === '' ? [] : [key]))
    return [{ path: keys.join('.'), object: object.serial }]
  })
}
