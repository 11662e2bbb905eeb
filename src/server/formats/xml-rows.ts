import type { Cell, FeedRow } from '#contract/feeds/mappings/source-row.ts'
import { FeedRefusal, MAX_RAW_LENGTH, MAX_ROW_LENGTH, MAX_COLUMNS } from './feed-refusal.ts'
import { type XmlToken, xmlScanner } from './scan-xml.ts'

type Element = {
  count: number
  /** Names of its children and attributes. */
  leafs: Set<string>
  vins: Set<string>
  /** The most elements of this path in one parent. */
  most: number
}

/**
 * The path of the row elements. The element that has the VIN, else the repeated element with the most distinct children, is at
 * least part of a row. If each of its parents has only one and the parent is repeated too, the parent is the row: it also has
 * the dealer and the photos. @throws FeedRefusal if there is none.
 */
export function findRowPath(sample: string): string {
  const seen = elementsIn(sample)
  let path = withVins(seen) ?? mostChildren(seen)
  for (;;) {
    const parent = path.split('/').slice(0, -1).join('/')
    const isRow = parent.includes('/') && (seen.get(parent)?.count ?? 0) > 1 && seen.get(path)?.most === 1
    if (!isRow) return path
    path = parent
  }
}

/** The elements near the beginning, by path. */
function elementsIn(sample: string): Map<string, Element> {
  const seen = new Map<string, Element>()
  const stack: { name: string; path: string; children: Map<string, number>; text: string }[] = []
  for (const token of leniently(sample)) {
    const top = stack.at(-1)
    if (token.kind === 'text') {
      if (top !== undefined && top.text.length < 40) top.text += token.text
      continue
    }
    if (token.kind === 'close') {
      const closed = stack.pop()
      if (closed !== undefined) addVin(seen.get(stack.at(-1)?.path ?? ''), closed.text)
      continue
    }
    const path = top === undefined ? token.name : `${top.path}/${token.name}`
    const own = seen.get(path) ?? { count: 0, leafs: new Set(), vins: new Set(), most: 0 }
    const siblings = (top?.children.get(token.name) ?? 0) + 1
    top?.children.set(token.name, siblings)
    own.count += 1
    own.most = Math.max(own.most, siblings)
    seen.set(path, own)
    if (top !== undefined) seen.get(top.path)?.leafs.add(token.name)
    for (const [name, value] of Object.entries(token.attributes)) {
      own.leafs.add(`@${name}`)
      addVin(own, value)
    }
    stack.push({ name: token.name, path, children: new Map(), text: '' })
  }
  return seen
}

function addVin(element: Element | undefined, text: string): void {
  const vin = text.trim()
  if (element !== undefined && VIN.test(vin)) element.vins.add(vin)
}

const VIN = /^(?=.*\d)(?=.*[A-Z])[A-HJ-NPR-Z0-9]{17}$/i

/** The repeated element with the most different VINs; null if there are not at least two. */
function withVins(seen: ReadonlyMap<string, Element>): string | null {
  const [best] = [...seen]
    .filter(([path, { count, vins }]) => path.includes('/') && count > 1 && vins.size > 1)
    .toSorted(([, one], [, other]) => other.vins.size - one.vins.size)
  return best?.[0] ?? null
}

/** @throws FeedRefusal if no element looks like a row. */
function mostChildren(seen: ReadonlyMap<string, Element>): string {
  const paths = [...seen].filter(([path]) => path.includes('/'))
  const rank = ([, { leafs }]: (typeof paths)[number]) => leafs.size
  const repeated = paths.filter(([, { count, leafs }]) => count > 1 && leafs.size >= 3)
  const [best] = (repeated.length > 0 ? repeated : paths).toSorted((one, other) => rank(other) - rank(one))
  if (best === undefined || rank(best) < 2) {
    throw new FeedRefusal('No element in this XML file looks like a row. Enter the row path.')
  }
  return best[0]
}

function* leniently(sample: string): Generator<XmlToken> {
  yield* xmlScanner().push(sample, false)
}

/** An element around the rows, with the values that its rows share. */
type Outside = { name: string; text: string; isLeaf: boolean; values: Map<string, string> }

/** The most values of one group, and their length. More isn't the name of a dealer. */
const MOST_SHARED = 50
const LONGEST_SHARED = 500
/**
 * Only what names a dealer is shared. A title or a description of the whole file is not one of a vehicle, and a date would change
 * every row each day.
 */
const DEALER = 'dealer(?:ship)?|rooftop|store|seller|client|account|location|branch|lot'
const DEALER_GROUP = new RegExp(`^(?:${DEALER})$`, 'i')
const NAMES_DEALER = new RegExp(`^(?:${DEALER})[ _-]?(?:id|code|number|no|name)?$`, 'i')
const NUMBERS_GROUP = /^(?:id|code|number|no|name)$/i

function openOutside(outside: Outside[], { name, attributes }: Extract<XmlToken, { kind: 'open' }>): void {
  const parent = outside.at(-1)
  if (parent !== undefined) parent.isLeaf = false
  const own: Outside = { name, text: '', isLeaf: true, values: new Map() }
  outside.push(own)
  for (const [called, value] of Object.entries(attributes))
    share(own, { key: called, sign: '@', value: value.trim() })
}

function addOutsideText(outside: readonly Outside[], text: string): void {
  const top = outside.at(-1)
  if (top !== undefined && top.text.length <= LONGEST_SHARED) top.text += text
}

/** The text of a leaf belongs to the group around it: `dealer.id`. */
function closeOutside(outside: Outside[]): void {
  const closed = outside.pop()
  const parent = outside.at(-1)
  if (closed === undefined || parent === undefined || !closed.isLeaf) return
  const value = closed.text.trim()
  share(parent, { key: closed.name, sign: '.', value })
}

/** Adds a value to a group if it names a dealer: `dealer_id`, or `dealer.id` if only the group says so. */
function share(
  { name, values }: Outside,
  { key, sign, value }: { key: string; sign: '@' | '.'; value: string },
): void {
  if (value === '' || value.length > LONGEST_SHARED || values.size >= MOST_SHARED) return
  if (NAMES_DEALER.test(key)) values.set(key, value)
  else if (DEALER_GROUP.test(name) && NUMBERS_GROUP.test(key)) values.set(`${name}${sign}${key}`, value)
}

type Growing = {
  line: number
  raw: string
  size: number
  cells: Map<string, string[]>
  problem: string | null
}

/**
 * The rows of an XML feed: each element at `path`. Nested values are named by their path, `mileage.value`; repeated elements
 * become several texts; an attribute is `listing@id`; `<component name="city">` is `address.city`. A row also has the values
 * of the groups around it that name a dealer and stand before it: the cars in `<dealer id="7">` have `dealer@id`.
 */
export async function* xmlRows(text: AsyncIterable<string>, path: string): AsyncGenerator<FeedRow> {
  const scanner = xmlScanner()
  const rowPath = path
    .split('/')
    .map((name) => name.slice(name.indexOf(':') + 1))
    .join('/')
  const outside: Outside[] = []
  const inside: { name: string; text: string; hasChildren: boolean }[] = []
  let row: Growing | null = null
  let found = 0
  function* take(tokens: Iterable<XmlToken>): Generator<FeedRow> {
    for (const token of tokens) {
      if (row === null) {
        if (token.kind === 'open') {
          openOutside(outside, token)
          if (outside.map(({ name }) => name).join('/') === rowPath) {
            row = { line: token.line, raw: token.raw, size: 0, cells: new Map(), problem: null }
            addAttributes(row, token.attributes, [])
          }
        } else if (token.kind === 'close') closeOutside(outside)
        else addOutsideText(outside, token.text)
        continue
      }
      grow(row, token.raw)
      if (token.kind === 'text') {
        const top = inside.at(-1)
        if (top !== undefined && row.problem === null) top.text += token.text
        continue
      }
      if (token.kind === 'open') {
        const parent = inside.at(-1)
        if (parent !== undefined) parent.hasChildren = true
        const { name: called, ...rest } = token.attributes
        const isNamed = called !== undefined && /^[\w .-]{1,80}$/.test(called)
        inside.push({ name: isNamed ? called : token.name, text: '', hasChildren: false })
        addAttributes(
          row,
          isNamed ? rest : token.attributes,
          inside.map(({ name }) => name),
        )
        continue
      }
      const closed = inside.pop()
      if (closed === undefined) {
        yield finish(row, outside.slice(0, -1))
        found += 1
        row = null
        outside.pop()
        continue
      }
      const value = closed.text.trim()
      if (value !== '' || !closed.hasChildren) {
        add(row, [...inside.map(({ name }) => name), closed.name].join('.'), value)
      }
    }
  }
  for await (const part of text) yield* take(scanner.push(part, false))
  yield* take(scanner.push('', true))
  if (found === 0) throw new FeedRefusal(`The file has no ${rowPath} element.`)
}

function grow(row: Growing, raw: string): void {
  row.size += raw.length
  if (row.raw.length < MAX_RAW_LENGTH) row.raw += raw.slice(0, MAX_RAW_LENGTH - row.raw.length)
  if (row.size > MAX_ROW_LENGTH && row.problem === null) {
    row.problem = `The row is longer than ${MAX_ROW_LENGTH.toLocaleString('en')} characters.`
    row.cells.clear()
  }
}

function add(row: Growing, name: string, value: string): void {
  if (row.problem !== null) return
  const kept = row.cells.get(name)
  if (kept !== undefined) kept.push(value)
  else if (row.cells.size < MAX_COLUMNS) row.cells.set(name.slice(0, 200), [value])
  else row.problem = `The row has more than ${MAX_COLUMNS.toLocaleString('en')} different elements.`
}

function addAttributes(
  row: Growing,
  attributes: Readonly<Record<string, string>>,
  way: readonly string[],
): void {
  for (const [name, value] of Object.entries(attributes)) add(row, `${way.join('.')}@${name}`, value.trim())
}

function finish({ line, raw, cells, problem }: Growing, groups: readonly Outside[]): FeedRow {
  if (problem !== null) return { line, raw, cells: {}, problems: [{ kind: 'refusal', sentence: problem }] }
  const read = [...cells].map(([name, values]): [string, Cell] => [
    name,
    values.length === 1 ? (values[0] ?? '') : values,
  ])
  const shared = groups.flatMap(({ values }) => [...values].filter(([name]) => !cells.has(name)))
  return { line, raw, cells: { ...Object.fromEntries(shared), ...Object.fromEntries(read) }, problems: [] }
}
