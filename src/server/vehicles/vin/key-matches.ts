const STAR = 42
const UNDERSCORE = 95
const HASH = 35
const DASH = 45
const OPEN = 91
const CLOSE = 93
const BAR = 124
const ZERO = 48
const NINE = 57

/**
 * Counts the characters in which a VIN differs from a vPIC key; returns `most + 1` if there are more than `most`, or if
 * the key is longer. `vin`: characters 4 to 8, a vertical bar, and 10 to 17, as ASCII. In a key, `*` and `_` match any
 * character, `#` any digit, `[A-DX]` one of a set; characters after the end of the key match anything.
 */
export function differences(
  keys: Uint8Array,
  start: number,
  end: number,
  vin: Uint8Array,
  most: number,
): number {
  let different = 0
  let place = 0
  let at = start
  while (at < end) {
    const sign = keys[at]
    const found = vin[place]
    if (found === undefined) return most + 1
    place += 1
    at += 1
    if (sign === STAR || sign === UNDERSCORE) continue
    let fits = sign === found
    if (sign === HASH) fits = found >= ZERO && found <= NINE
    if (sign === OPEN) {
      fits = false
      while (at < end && keys[at] !== CLOSE) {
        const from = keys[at] ?? 0
        const isRange = keys[at + 1] === DASH && at + 2 < end && keys[at + 2] !== CLOSE
        const to = isRange ? (keys[at + 2] ?? 0) : from
        if (found >= from && found <= to) fits = true
        at += isRange ? 3 : 1
      }
      at += 1
    }
    if (fits) continue
    different += 1
    if (different > most || sign === BAR) return most + 1
  }
  return different
}
