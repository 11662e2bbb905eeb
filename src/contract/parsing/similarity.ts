/**
 * Similarity of two spellings, from 0 to 1. Ignores punctuation and case. A typo lowers it less in long words than in
 * short ones; if one text contains all words of the other plus a few more, the score is high.
 */
export function similarity(one: string, other: string): number {
  const [first, second] = [squeeze(one), squeeze(other)]
  if (first === '' || second === '') return 0
  if (first === second) return 1
  const longest = Math.max(first.length, second.length)
  // Very short texts are too ambiguous.
  const byLetters = longest < 4 ? 0 : 1 - distance(first, second) / longest
  return Math.max(byLetters ** 1.5, byWords(wordsOf(one), wordsOf(other)))
}

/** Scores texts in which all words of the shorter one occur in the longer one. */
function byWords(one: readonly string[], other: readonly string[]): number {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  const letters = short.join('').length
  if (letters < 3 || short.length === long.length || !short.every((word) => long.includes(word))) return 0
  return 0.9 - 0.1 * Math.min(3, long.length - short.length)
}

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const squeeze = (text: string): string => plain(text).replace(/[^\p{L}\p{N}]/gu, '')
const wordsOf = (text: string): string[] => plain(text).match(/\p{L}+|\p{N}+/gu) ?? []

/** Damerau-Levenshtein distance: letters inserted, deleted, replaced or swapped with a neighbor. */
function distance(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row]
    for (let at = 1; at <= other.length; at += 1) {
      const isSame = one[row - 1] === other[at - 1]
      const isSwapped = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]
      next[at] = Math.min(
        (last[at] ?? 0) + 1,
        (next[at - 1] ?? 0) + 1,
        (last[at - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[at - 2] ?? Infinity) + 1 : Infinity,
      )
    }
    before = last
    last = next
  }
  return last[other.length] ?? 0
}
