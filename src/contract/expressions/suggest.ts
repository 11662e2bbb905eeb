/** The closest match for a mistyped or differently capitalized name. */
export function closest(word: string, there: readonly string[]): string | undefined {
  const wanted = word.toLowerCase()
  const most = Math.max(1, Math.floor(wanted.length / 3))
  let best: string | undefined
  let least = most + 1
  for (const candidate of there) {
    const distance = editDistance(wanted, candidate.toLowerCase(), least)
    if (distance < least) {
      best = candidate
      least = distance
    }
  }
  return best
}

/** The number of edits (insert, delete, replace, swap neighbors) between two words; stops at `enough`. */
function editDistance(one: string, other: string, enough: number): number {
  if (Math.abs(one.length - other.length) >= enough) return enough
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1]
      const isSwapped = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]
      next[at] = Math.min(
        (last[at] ?? 0) + 1,
        (next[at - 1] ?? 0) + 1,
        (last[at - 1] ?? 0) + (isSame ? 0 : 1),
        row > 1 && at > 1 && isSwapped ? (before[at - 2] ?? 0) + 1 : Infinity,
      )
    }
    // A swap goes back two rows, so both must be too far away.
    if (Math.min(...next) >= enough && Math.min(...last) >= enough) return enough
    before = last
    last = next
  }
  return last[other.length] ?? enough
}
