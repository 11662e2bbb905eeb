/** The possible meanings of a photo's file name. */
export type PhotoName = Readonly<{
  /** Possible VINs or stock numbers as written, starting with the full name. */
  keys: readonly string[]
  /** Its position among the vehicle's photos, from the number at the end; null without one. */
  place: number | null
}>

/** The number at the end: `_1`, `-02`, ` 4`, `.5` or ` (3)`. */
const COUNTED = /^(.*?)(?:[\s_.-]*\((\d{1,4})\)|[\s_.-]+(\d{1,4}))$/u
/** A 17-character VIN followed by any words: `1FTEW1EP5MFA00001 front`. VINs never contain I, O or Q. */
const BEGINS_WITH_VIN = /^([A-HJ-NPR-Z0-9]{17})(?![A-Z0-9])/i
/** The rest of a longer name is ignored. */
const MAX_LENGTH = 200

/**
 * Parses a photo's file name. `N10063_2.jpg` may be photo 2 of stock number N10063 or the only photo of N10063_2, so it
 * returns both. Operating systems add a second number to a copied file: `N10063_2 (1).jpg`.
 */
export function readPhotoName(name: string): PhotoName {
  const whole = name
    .normalize('NFC')
    .slice(0, MAX_LENGTH)
    .replace(/\.[A-Za-z]{2,5}\d?$/, '')
    .trim()
  const [first, once] = uncount(whole)
  const [second, twice] = uncount(once)
  const vin = BEGINS_WITH_VIN.exec(whole)?.[1]
  const keys = [whole, ...(first === null ? [] : [once]), ...(second === null ? [] : [twice]), vin ?? '']
  return { keys: [...new Set(keys.filter((key) => key !== ''))], place: second ?? first }
}

function uncount(text: string): [place: number | null, rest: string] {
  const [, rest = '', inBrackets, plain] = COUNTED.exec(text) ?? []
  const number = inBrackets ?? plain
  return number === undefined || rest === '' ? [null, text] : [Number(number), rest.trim()]
}

const byName = new Intl.Collator('en', { numeric: true })

/** Sorts a vehicle's photos by number, then by name; names without a number come first. */
export function comparePhotoNames(one: string, other: string): number {
  const places = [one, other].map((name) => readPhotoName(name).place ?? 0)
  return (places[0] ?? 0) - (places[1] ?? 0) || byName.compare(one, other)
}
