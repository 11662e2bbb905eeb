import { isEqual } from '#contract/questions/changes.ts'
import { isRecord } from '#web/api/read-json.ts'

/** What two people started from, and what each of them made of it. */
export type Versions<T> = Readonly<{ base: T; mine: T; theirs: T }>
/** Whose change counts where both changed the same. */
export type Winner = 'mine' | 'theirs'
type Loose = Versions<unknown>

/**
 * Brings two versions of the same value together: what only one person changed, added, removed or moved stays, and where both
 * changed the same, the winner's counts. Objects are merged by field and lists by item. What both changed is the difference
 * between the results for the two winners.
 */
export function mergeChanges<T>(versions: Versions<T>, winner?: Winner): T
export function mergeChanges({ base, mine, theirs }: Loose, winner: Winner = 'mine'): unknown {
  if (mine === base || isEqual(mine, base)) return theirs
  if (isEqual(theirs, base) || isEqual(mine, theirs)) return mine
  if (Array.isArray(mine) && Array.isArray(theirs)) {
    return mergeLists({ base: Array.isArray(base) ? base : [], mine, theirs }, winner)
  }
  if (isRecord(mine) && isRecord(theirs)) {
    return mergeObjects({ base: isRecord(base) ? base : {}, mine, theirs }, winner)
  }
  return winner === 'mine' ? mine : theirs
}

/**
 * Whether a merge brought something back that this user deleted, because the other one changed or uses it: an item of a list,
 * or the value of a field.
 */
export function bringsBack({
  base,
  mine,
  merged,
}: Readonly<Record<'base' | 'mine' | 'merged', unknown>>): boolean {
  if (isEqual(mine, base) || isEqual(mine, merged)) return false
  if (isRecord(base) && isRecord(merged))
    return Object.entries(base).some(([name, value]) => {
      const own = isRecord(mine) ? mine[name] : null
      return own == null
        ? value != null && merged[name] != null
        : bringsBack({ base: value, mine: own, merged: merged[name] })
    })
  if (!Array.isArray(base) || !Array.isArray(mine) || !Array.isArray(merged)) return false
  const key = findKey([...base, ...mine, ...merged])
  const [own, all] = [matchItems(base, mine, key), matchItems(base, merged, key)]
  return base.some((item, place) => {
    const [kept, found] = [own.indexOf(place), all.indexOf(place)]
    if (found === -1) return false
    return kept === -1 || bringsBack({ base: item, mine: mine[kept], merged: merged[found] })
  })
}

type Item = Record<string, unknown>

function mergeObjects({ base, mine, theirs }: Versions<Item>, winner: Winner): Item {
  if (isOtherKind({ base, mine, theirs })) return winner === 'mine' ? mine : theirs
  const names = new Set([...Object.keys(theirs), ...Object.keys(mine)])
  const merged = [...names].map((name): [string, unknown] => {
    const of = (one: Item) => (Object.hasOwn(one, name) ? one[name] : undefined)
    return [name, mergeChanges({ base: of(base), mine: of(mine), theirs: of(theirs) }, winner)]
  })
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined))
}

/**
 * Whether one person made something else of it, such as a number of a text, and the other changed a property that it no longer
 * has or doesn't know: both together might be neither.
 */
function isOtherKind({ base, mine, theirs }: Versions<Item>): boolean {
  const changes = (one: Item) =>
    ['type', 'kind'].some((name) => typeof base[name] === 'string' && one[name] !== base[name])
  const breaks = (changed: Item, other: Item) =>
    changes(changed) &&
    Object.keys(other).some((name) => !Object.hasOwn(changed, name) && !isEqual(other[name], base[name]))
  return (changes(mine) && changes(theirs)) || breaks(mine, theirs) || breaks(theirs, mine)
}

type List = readonly unknown[]

function mergeLists(lists: Versions<List>, winner: Winner): List {
  const { base, mine, theirs } = lists
  const all = [...base, ...mine, ...theirs]
  const isOfTexts = all.every((item) => typeof item === 'string')
  const isOfObjects = all.every(isRecord)
  if (isOfObjects || (isOfTexts && [base, mine, theirs].every((list) => new Set(list).size === list.length)))
    return mergeItems(lists, winner)
  // Such as numbers: they are known by their place.
  if (base.length === mine.length && base.length === theirs.length)
    return base.map((_, at) => mergeChanges({ base: base[at], mine: mine[at], theirs: theirs[at] }, winner))
  return winner === 'mine' ? mine : theirs
}

function mergeItems({ base, mine, theirs }: Versions<List>, winner: Winner): List {
  const key = findKey([...base, ...mine, ...theirs])
  const [own, other] = [matchItems(base, mine, key), matchItems(base, theirs, key)]
  const added = (list: List, places: readonly (number | null)[]) =>
    list.map((item, at) => (places[at] === null ? item : null))
  const same = matchAdded(added(mine, own), added(theirs, other), key)
  const ids = {
    base: base.map((_, at) => `base ${at}`),
    mine: own.map((place, at) => (place === null ? `mine ${at}` : `base ${place}`)),
    theirs: other.map((place, at) => {
      const twin = same[at] ?? null
      if (place !== null) return `base ${place}`
      return twin === null ? `theirs ${at}` : `mine ${twin}`
    }),
  }
  const byId = (names: readonly string[], list: List) => new Map(names.map((id, at) => [id, list[at]]))
  const items = { base: byId(ids.base, base), mine: byId(ids.mine, mine), theirs: byId(ids.theirs, theirs) }
  return mergeOrder(ids, winner).flatMap((id) => {
    const item = { base: items.base.get(id), mine: items.mine.get(id), theirs: items.theirs.get(id) }
    const merged = mergeChanges<unknown>(item, winner)
    return merged === undefined ? [] : [merged]
  })
}

/**
 * The order of all items of two lists: of the person who moved some, with what the other one added after the item that it
 * follows there.
 */
export function mergeOrder({ base, mine, theirs }: Versions<readonly string[]>, winner: Winner): string[] {
  const common = new Set(base.filter((id) => mine.includes(id) && theirs.includes(id)))
  const orderOf = (ids: readonly string[]) => ids.filter((id) => common.has(id))
  const isMine = isEqual(orderOf(theirs), orderOf(base))
  const isTheirs = isEqual(orderOf(mine), orderOf(base))
  const takesTheirs = isTheirs || (!isMine && winner === 'theirs')
  const [leading, other] = takesTheirs ? [theirs, mine] : [mine, theirs]
  const order = [...leading]
  for (const [at, id] of other.entries()) {
    if (order.includes(id)) continue
    const before = other.slice(0, at).findLast((one) => order.includes(one))
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, id)
  }
  return order
}

/** What tells the items of a list apart, the best first: a calendar day for holidays, a name for fees. */
const KEYS = ['id', 'code', 'key', 'value', 'question', 'section', 'row', 'on', 'name', 'title']

/** If none of them is there, the ID of what an item refers to, such as a destination. */
function findKey(items: List): string | null {
  const references = isRecord(items[0]) ? Object.keys(items[0]).filter((name) => name.endsWith('Id')) : []
  const isKey = (key: string) =>
    items.every((item) => isRecord(item) && ['string', 'number'].includes(typeof item[key]))
  return [...KEYS, ...references].find(isKey) ?? null
}

type Pairs = { places: (number | null)[]; free: Set<number> }

/** For each item of a list, the place of the same item in the former one; null for an added one. */
function matchItems(former: List, list: List, key: string | null): (number | null)[] {
  const found: Pairs = { places: list.map(() => null), free: new Set(former.keys()) }
  pairBy(former, list, found, textOf)
  if (key === null) pairSimilar(former, list, found)
  else {
    pairBy(former, list, found, keyText(key))
    // Renamed, and otherwise the same.
    pairBy(former, list, found, (item) => (isRecord(item) ? textOf({ ...item, [key]: null }) : null))
  }
  return found.places
}

/** For each item that they added, the place of the same item that was added here. Other places hold null. */
function matchAdded(mine: List, theirs: List, key: string | null): (number | null)[] {
  const found: Pairs = { places: theirs.map(() => null), free: new Set(mine.keys()) }
  const ofAdded = (textFor: (item: unknown) => string | null) => (item: unknown) =>
    item === null ? null : textFor(item)
  pairBy(mine, theirs, found, ofAdded(textOf))
  if (key !== null) pairBy(mine, theirs, found, ofAdded(keyText(key)))
  return found.places
}

const keyText = (key: string) => (item: unknown) => (isRecord(item) ? String(item[key]) || null : null)

/** Pairs the items that have the same text, in their order. */
function pairBy(
  former: List,
  list: List,
  { places, free }: Pairs,
  textFor: (item: unknown) => string | null,
) {
  const byText = new Map<string, number[]>()
  for (const at of free) {
    const text = textFor(former[at])
    if (text !== null) byText.set(text, [...(byText.get(text) ?? []), at])
  }
  for (const [at, item] of list.entries()) {
    const text = places[at] === null ? textFor(item) : null
    const place = text === null ? undefined : byText.get(text)?.shift()
    if (place === undefined) continue
    places[at] = place
    free.delete(place)
  }
}

const textOf = (item: unknown): string =>
  JSON.stringify(item, (_, value: unknown) =>
    isRecord(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  )

/** Pairs changed items without a key: those after the same item that have most in common. */
function pairSimilar(former: List, list: List, { places, free }: Pairs): void {
  const leftOf = (place: number) => former.findLastIndex((_, at) => at < place && !free.has(at))
  for (const [at, item] of list.entries()) {
    if (places[at] !== null || !isRecord(item)) continue
    const left = places.slice(0, at).findLast((one) => one !== null) ?? -1
    const [best] = [...free]
      .filter((place) => leftOf(place) === left)
      .map((place) => ({ place, same: countSame(former[place], item) }))
      .toSorted((one, other) => other.same - one.same)
    if (best === undefined || best.same === 0) continue
    places[at] = best.place
    free.delete(best.place)
  }
}

const countSame = (one: unknown, other: Item): number =>
  isRecord(one) ? Object.keys(other).filter((name) => isEqual(one[name], other[name])).length : 0
