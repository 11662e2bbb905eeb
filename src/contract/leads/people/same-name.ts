import { isPlaceholderName } from './placeholders.ts'

/**
 * Whether two names are surely those of one person: the same words, or one of them with further names after the same first one.
 * An initial is no name, and one other letter makes another name: Mark and Mary share a phone. Accents, case, punctuation and
 * titles don't count; "Jr." does. A missing name, or a placeholder, is no one's.
 */
export function isSameName(one: string | null, other: string | null): boolean {
  const [shorter = [], longer = []] = [partsOf(one), partsOf(other)].toSorted((a, b) => a.length - b.length)
  if (shorter.length === 0 || suffixOf(shorter) !== suffixOf(longer)) return false
  const left = [...longer]
  const isWithin = shorter.every((part) => {
    const at = left.indexOf(part)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
  return isWithin && (left.length === 0 || shorter[0] === longer[0])
}

const TITLES: ReadonlySet<string> = new Set(['mr', 'mrs', 'ms', 'miss', 'dr'])
const SUFFIXES: ReadonlySet<string> = new Set(['jr', 'sr', 'ii', 'iii', 'iv'])

const suffixOf = (parts: readonly string[]): string | null => parts.find((part) => SUFFIXES.has(part)) ?? null

/** "Bell, Marcus" is Marcus Bell. */
function partsOf(name: string | null): string[] {
  if (name === null || isPlaceholderName(name)) return []
  const [, family, given] = /^([^,]+),\s*([^,]+)$/.exec(name) ?? []
  const isTurned =
    family !== undefined && given !== undefined && !SUFFIXES.has(given.replace('.', '').toLowerCase())
  return (isTurned ? `${given} ${family}` : name)
    .normalize('NFD')
    .replaceAll(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '' && !TITLES.has(part))
}
