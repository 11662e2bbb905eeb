import { type User, users } from '#contract/identity/users/users.ts'
import { keyOf, queryClient } from '#web/api/query.ts'

/** Replaces the cached user with a newer response. */
export function setUserInCache(user: User): void {
  queryClient.setQueryData([...keyOf(users.get), { id: user.id }], user)
}
