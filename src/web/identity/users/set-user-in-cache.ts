import { type User, users } from '#contract/identity/users/users.ts'
import { userTypes } from '#contract/identity/user-types/user-types.ts'
import { keyOf, queryClient } from '#web/api/query.ts'

/** Puts a person that was just answered in place of the loaded one. */
export function setUserInCache(user: User): void {
  queryClient.setQueryData([...keyOf(users.get), { id: user.id }], user)
}

/** What a change of a person shows in: the lists, their own history and rights, and how many are of a type. */
export async function invalidateUsers(): Promise<void> {
  const changed = [users.list, users.activity, users.permissions, userTypes.forParent, userTypes.list]
  await Promise.all(changed.map((endpoint) => queryClient.invalidateQueries({ queryKey: keyOf(endpoint) })))
}
