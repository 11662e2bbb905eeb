import { z } from 'zod'
import { isDeclared, type Permission } from '#contract/permissions.ts'

const Entry = z
  .object({ func: z.coerce.number().int(), opr: z.coerce.number().int() })
  .refine(isDeclared, 'There is no such function with such an operation.')
const Entries = z.array(Entry).max(1000, 'These are too many permissions.').transform(withoutRepeats)

/**
 * The whole set of permissions wanted, as payloads carry it (specification section 3): the list of `{func, opr}`, or
 * the object that `auth-user-permission` answered. What is stored is worked out from it.
 */
export const GrantedPermissions = z.union(
  [Entries, z.looseObject({ permissions: Entries }).transform(({ permissions }) => permissions)],
  'Send the whole set as a list of {func, opr}; each must be a function with an operation that it has.',
)

function withoutRepeats(entries: Permission[]): Permission[] {
  const found = new Map(entries.map((entry) => [`${entry.func}/${entry.opr}`, entry]))
  return [...found.values()]
}
