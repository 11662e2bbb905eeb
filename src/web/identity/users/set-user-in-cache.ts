import { type User, users } from '#contract/identity/users/users.ts'
import { userTypes } from '#contract/identity/user-types/user-types.ts'
import { keyOf, queryClient } from '#web/api/query.ts'

/** Replaces the cached user with a newer response. */
export function setUserInCache(user: User): void {
  queryClient.setQueryData([...keyOf(users.get), { id: user.id }], user)
}

/**
 * Invalidates everything that shows a user: the lists, their activity and permissions, and the user counts of
 * user types.
 */
export async function invalidateUsers(): Promise<void> {
  const changed = [users.list, users.activity, users.permissions, userTypes.forParent, userTypes.list]
  await Promise.all(changed.map((endpoint) => queryClient.invalidateQueries({ queryKey: keyOf(endpoint) })))
}
