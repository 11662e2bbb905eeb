/** What the name of a picture may stand for. */
export type PhotoName = Readonly<{
  /** VINs or stock numbers, the whole name first, as they are written. */
  keys: readonly string[]
  /** Its place among the pictures of its vehicle: what it is counted with at its end. Null without a number. */
  place: number | null
}>

/** The number at the end: `_1`, `-02`, ` 4`, `.5` or ` (3)`. */
const COUNTED = /^(.*?)(?:[\s_.-]*\((\d{1,4})\)|[\s_.-]+(\d{1,4}))$/u
/** A VIN of today with any words after it: `1FTEW1EP5MFA00001 front`. Neither I, O nor Q stands in one. */
const BEGINS_WITH_VIN = /^([A-HJ-NPR-Z0-9]{17})(?![A-Z0-9])/i
/** Longer names tell no vehicle. */
const MOST_SIGNS = 200

/**
 * Reads the name of a picture: `N10063_2.jpg` may be the second of stock number N10063, or the only one of N10063_2, so
 * both are answered. A copy is counted once more by the machine it was copied on (`N10063_2 (1).jpg`), hence two numbers.
 */
export function readPhotoName(name: string): PhotoName {
  const whole = name
    .normalize('NFC')
    .slice(0, MOST_SIGNS)
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

/** The order of pictures of one vehicle: by their number, then by name; what is not counted comes first. */
export function comparePhotoNames(one: string, other: string): number {
  const places = [one, other].map((name) => readPhotoName(name).place ?? 0)
  return (places[0] ?? 0) - (places[1] ?? 0) || byName.compare(one, other)
}
