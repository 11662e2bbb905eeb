import fc from 'fast-check'

/** Elements into which no one expects something else. */
const LEAVES =
  /<(year|make|model|price|optionname|method|amount|name|email|phone|vendorname|service)\b([^>]*)>/g

/**
 * An XML document with this many parts that its reader doesn't know, at random places: elements with and without children,
 * attributes, texts between elements, tags within a text, and repeated elements. `values`: what was added, each of them unlike any
 * other.
 */
export function withUnknownParts(
  xml: string,
  { count, seed }: { count: number; seed: number },
): { xml: string; values: string[] } {
  const values: string[] = []
  const value = () => {
    const text = `Zz${seed}x${values.length}q`
    values.push(text)
    return text
  }
  const kinds = fc.sample(fc.nat(5), { numRuns: count, seed })
  const places = fc.sample(fc.nat(1_000_000), { numRuns: count, seed: seed + 1 })
  let changed = xml
  for (const [at, kind] of kinds.entries())
    changed = add(changed, { kind, place: places[at] ?? 0, at, value })
  return { xml: changed, values }
}

type Part = { kind: number; place: number; at: number; value: () => string }

function add(xml: string, { kind, place, at, value }: Part): string {
  if (kind === 0) return insertAt(xml, place, `<x-part-${at}>${value()}</x-part-${at}>`)
  if (kind === 1) {
    const child = `<inner level="${value()}">${value()}</inner>`
    return insertAt(xml, place, `<x_group${at} kind="${value()}">${child}</x_group${at}>`)
  }
  if (kind === 2) return insertAt(xml, place, ` ${value()} `)
  if (kind === 3) {
    const found = [...xml.matchAll(LEAVES)]
    const [tag, name, attributes] = found[place % found.length] ?? []
    if (tag === undefined) return xml
    return replaceAt(
      xml,
      found[place % found.length]?.index ?? 0,
      tag,
      `<${name} x-${at}="${value()}"${attributes}>`,
    )
  }
  if (kind === 4) return insertAt(xml, place, `<vendorname>${value()}</vendorname>`)
  const text = `<i>${value()}</i> <b title="${value()}">words</b><br/>`
  return xml.includes('<comments>') ? xml.replace('<comments>', `<comments>${text}`) : xml
}

const replaceAt = (xml: string, index: number, old: string, text: string): string =>
  xml.slice(0, index) + text + xml.slice(index + old.length)

/** Between two elements, within the document. */
function insertAt(xml: string, place: number, text: string): string {
  const gaps = [...xml.matchAll(/>(\s*)<(?!\?)/g)]
    .map(({ index }) => index + 1)
    .filter((index) => index > xml.indexOf('<adf>') + 4 && index < xml.indexOf('</adf>'))
  const index = gaps[place % gaps.length] ?? 0
  return index === 0 ? xml : xml.slice(0, index) + text + xml.slice(index)
}
