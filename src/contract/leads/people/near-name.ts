/**
 * Whether two names may be those of one person: each part of the shorter name is a part of the other one, its initial, or
 * differs from it by one letter. Accents, case and punctuation don't count. A missing name is near no other.
 */
export function isNearName(one: string | null, other: string | null): boolean {
  const [shorter = [], longer = []] = [partsOf(one), partsOf(other)].toSorted((a, b) => a.length - b.length)
  if (shorter.length === 0) return false
  const left = [...longer]
  const isMatched = shorter.every((part) => {
    const at = left.findIndex((candidate) => isNearPart(part, candidate))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
  // An initial alone is no name.
  return isMatched && shorter.some((part) => part.length > 1)
}

function partsOf(name: string | null): string[] {
  return (name ?? '')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
}

function isNearPart(one: string, other: string): boolean {
  if (one === other) return true
  if (one.length === 1 || other.length === 1) return one[0] === other[0]
  return one.length >= 4 && other.length >= 4 && differsByOne(one, other)
}

/** One letter added, left out, replaced, or two neighbors swapped. */
function differsByOne(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  const [a, b] = [one.slice(start), other.slice(start)]
  if (a.length === b.length) {
    return a.slice(1) === b.slice(1) || (a.slice(2) === b.slice(2) && a[0] === b[1] && a[1] === b[0])
  }
  return a.length > b.length ? a.slice(1) === b : a === b.slice(1)
}
