import { describe, Func, isPlatformOnly, Opr, type Permission } from '#contract/permissions.ts'

/** One number for a permission, in SQL `func * 16 + opr`. */
export const keyOf = ({ func, opr }: Permission): number => func * 16 + opr
export const permissionOf = (key: number): Permission => ({ func: Math.floor(key / 16), opr: key % 16 })

/** One stored difference between what a person may do and what their type grants. */
export type Difference = Permission & { isAllowed: boolean }

/** What is in `wanted` and not in `present`. */
export function without(wanted: readonly Permission[], present: readonly Permission[]): Permission[] {
  const there = new Set(present.map(keyOf))
  return wanted.filter((permission) => !there.has(keyOf(permission)))
}

export function isSameSet(one: readonly Permission[], other: readonly Permission[]): boolean {
  return without(one, other).length === 0 && without(other, one).length === 0
}

/** What must be stored beside a type's grants so that exactly `wanted` comes out. */
export function differencesBetween(
  grants: readonly Permission[],
  wanted: readonly Permission[],
): Difference[] {
  return [
    ...without(wanted, grants).map((permission) => ({ ...permission, isAllowed: true })),
    ...without(grants, wanted).map((permission) => ({ ...permission, isAllowed: false })),
  ]
}

/** What a person may do: the type's grants, plus what is allowed, minus what is denied. */
export function applyDifferences(
  grants: readonly Permission[],
  differences: readonly Difference[],
): Permission[] {
  const denied = differences.filter(({ isAllowed }) => !isAllowed)
  const allowed = differences.filter(({ isAllowed }) => isAllowed)
  const kept = without(grants, denied)
  return [...kept, ...without(allowed, kept).map(({ func, opr }) => ({ func, opr }))]
}

/** Leaves out what only the platform's own people may hold, for everybody else. */
export function holdable(permissions: readonly Permission[], isPlatform: boolean): Permission[] {
  return permissions.filter(({ func }) => isPlatform || !isPlatformOnly(func))
}

/** The functions that nobody in a customer holds, whatever is stored. */
export const PLATFORM_FUNCTIONS: readonly number[] = Object.values(Func)
  .map(({ func }) => func)
  .filter(isPlatformOnly)

const MOST_NAMED = 3

/** "Lots, delete (8, 5) and 4 more": enough to know what a refusal speaks of. */
export function nameSome(permissions: readonly Permission[]): string {
  const named = permissions.slice(0, MOST_NAMED).map(describe)
  const more = permissions.length - named.length
  return more > 0 ? `${named.join('; ')} and ${more} more` : named.join('; ')
}

/** "Lots, delete": as people say it. */
export function inWords({ func, opr }: Permission): string {
  const title = Object.values(Func).find((one) => one.func === func)?.title ?? `Function ${func}`
  const operation = Object.entries(Opr).find(([, number]) => number === opr)?.[0] ?? String(opr)
  return `${title}, ${operation}`
}
