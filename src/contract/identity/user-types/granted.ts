import { z } from 'zod'
import { isDeclared, type Permission } from '#contract/permissions.ts'

const Entry = z
  .object({ func: z.coerce.number().int(), opr: z.coerce.number().int() })
  .refine(isDeclared, "This function or operation doesn't exist.")
const Entries = z
  .array(Entry)
  .max(1000, 'Too many permissions. The limit is 1,000.')
  .transform(withoutRepeats)

/**
 * The complete set of permissions, as payloads carry it (specification section 3): a list of `{func, opr}`,
 * or the object that `auth-user-permission` returns. Only the overrides derived from it are stored.
 */
export const GrantedPermissions = z.union(
  [Entries, z.looseObject({ permissions: Entries }).transform(({ permissions }) => permissions)],
  'Send the complete set as a list of {func, opr}. Each entry must be a function with one of its operations.',
)

function withoutRepeats(entries: Permission[]): Permission[] {
  const unique = new Map(entries.map((entry) => [`${entry.func}/${entry.opr}`, entry]))
  return [...unique.values()]
}
