import { hash } from 'node:crypto'

/**
 * Numbers by keys, for millions of them: 16 bytes for each place instead of the text and its entry in a Map, three times
 * that and more. A key is known by 64 bits of its hash: of ten million keys two are taken for one with a chance of 1 in
 * 300,000.
 */
export type NumberTable = {
  get: (key: string) => number | undefined
  /** @param value a whole number from 1 to 4,294,967,295. */
  set: (key: string, value: number) => void
}

const FIRST_PLACES = 1_024
/** Two halves of the hash and the value; a value of 0 is an empty place. */
const WORDS = 3

export function numberTable(): NumberTable {
  let places = FIRST_PLACES
  let words = new Uint32Array(places * WORDS)
  let filled = 0

  /** Where the key stands, or the empty place where it would. */
  function find(first: number, second: number): number {
    let place = first & (places - 1)
    for (;;) {
      const at = place * WORDS
      if (words[at + 2] === 0 || (words[at] === first && words[at + 1] === second)) return at
      place = (place + 1) & (places - 1)
    }
  }

  function grow(): void {
    const old = words
    places *= 2
    words = new Uint32Array(places * WORDS)
    for (let from = 0; from < old.length; from += WORDS) {
      if (old[from + 2] === 0) continue
      words.set(old.subarray(from, from + WORDS), find(old[from] ?? 0, old[from + 1] ?? 0))
    }
  }

  return {
    get(key) {
      const [first, second] = halves(key)
      const value = words[find(first, second) + 2] ?? 0
      return value === 0 ? undefined : value
    },
    set(key, value) {
      if (filled * 2 >= places) grow()
      const [first, second] = halves(key)
      const at = find(first, second)
      if (words[at + 2] === 0) filled += 1
      words.set([first, second, value], at)
    },
  }
}

function halves(key: string): [number, number] {
  const digest = hash('sha1', key, 'buffer')
  return [digest.readUInt32LE(0), digest.readUInt32LE(4)]
}
