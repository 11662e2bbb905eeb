/** A seeded pseudo-random generator: the same values at every run. */
export type Chance = {
  /** From 0 to `limit`, exclusive. */
  upTo: (limit: number) => number
  whole: (least: number, most: number) => number
  happens: (share: number) => boolean
  oneOf: <T>(things: readonly T[]) => T
  /** One of the keys, in proportion to its weight. */
  weighed: <K extends string>(weights: Readonly<Partial<Record<K, number>>>) => K
}

/** A generator seeded with a text. */
export function seededBy(seed: string): Chance {
  let state = Array.from(seed).reduce(
    (sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 0x01000193),
    0x811c9dc5,
  )
  // A counter with a mixing function in which every input bit affects every output bit.
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
  }
  const oneOf = <T>(things: readonly T[]): T => {
    const thing = things[Math.floor(next() * things.length)]
    if (thing === undefined) throw new Error('There is nothing to draw from.')
    return thing
  }
  return {
    upTo: (limit) => next() * limit,
    whole: (least, most) => least + Math.floor(next() * (most - least + 1)),
    happens: (share) => next() < share,
    oneOf,
    weighed(weights) {
      const keys = Object.keys(weights).filter((key) => isKey(weights, key))
      let left = next() * keys.reduce((sum, key) => sum + (weights[key] ?? 0), 0)
      return keys.find((key) => (left -= weights[key] ?? 0) < 0) ?? oneOf(keys)
    },
  }
}

function isKey<K extends string>(weights: Readonly<Partial<Record<K, number>>>, key: string): key is K {
  return Object.hasOwn(weights, key)
}
