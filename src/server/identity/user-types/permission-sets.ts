import { Func, isPlatformOnly, type Permission } from '#contract/permissions.ts'
import { describe } from '#contract/permission-text.ts'

/** A permission as one number, in SQL `func * 16 + opr`. */
export const keyOf = ({ func, opr }: Permission): number => func * 16 + opr
export const permissionOf = (key: number): Permission => ({ func: Math.floor(key / 16), opr: key % 16 })

/** A stored difference between a user's permissions and those of their type. */
export type Difference = Permission & { isAllowed: boolean }

/** The permissions in `wanted` that aren't in `present`. */
export function without(wanted: readonly Permission[], present: readonly Permission[]): Permission[] {
  const presentKeys = new Set(present.map(keyOf))
  return wanted.filter((permission) => !presentKeys.has(keyOf(permission)))
}

export function isSameSet(one: readonly Permission[], other: readonly Permission[]): boolean {
  return without(one, other).length === 0 && without(other, one).length === 0
}

/** The differences to store so that the type's grants and they give exactly `wanted`. */
export function differencesBetween(
  grants: readonly Permission[],
  wanted: readonly Permission[],
): Difference[] {
  return [
    ...without(wanted, grants).map((permission) => ({ ...permission, isAllowed: true })),
    ...without(grants, wanted).map((permission) => ({ ...permission, isAllowed: false })),
  ]
}

/** A user's permissions: the type's grants, plus what is allowed, minus what is denied. */
export function applyDifferences(
  grants: readonly Permission[],
  differences: readonly Difference[],
): Permission[] {
  const denied = differences.filter(({ isAllowed }) => !isAllowed)
  const allowed = differences.filter(({ isAllowed }) => isAllowed)
  const kept = without(grants, denied)
  return [...kept, ...without(allowed, kept).map(({ func, opr }) => ({ func, opr }))]
}

/** Removes platform permissions, except for platform staff. */
export function holdable(permissions: readonly Permission[], isPlatform: boolean): Permission[] {
  return permissions.filter(({ func }) => isPlatform || !isPlatformOnly(func))
}

/** Functions that users of a customer never have, whatever is stored. */
export const PLATFORM_FUNCTIONS: readonly number[] = Object.values(Func)
  .map(({ func }) => func)
  .filter(isPlatformOnly)

const MOST_NAMED = 3

/** "Lots, delete (8, 5) and 4 more": enough to understand an error message. */
export function nameSome(permissions: readonly Permission[]): string {
  const named = permissions.slice(0, MOST_NAMED).map(describe)
  const more = permissions.length - named.length
  return more > 0 ? `${named.join('; ')} and ${more} more` : named.join('; ')
}
