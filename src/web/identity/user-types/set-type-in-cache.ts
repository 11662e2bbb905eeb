import { users } from '#contract/identity/users/users.ts'
import { type UserType, userTypes } from '#contract/identity/user-types/user-types.ts'
import { keyOf, queryClient } from '#web/api/query.ts'

/** Replaces the cached user type with a newer response. */
export function setTypeInCache(type: UserType): void {
  queryClient.setQueryData([...keyOf(userTypes.get), { id: type.id }], type)
}

/** Invalidates everything that shows user types: the tree, the lists and the users of the type. */
export async function invalidateUserTypes(): Promise<void> {
  const changed = [userTypes.forParent, userTypes.list, users.list, users.get, users.permissions]
  await Promise.all(changed.map((endpoint) => queryClient.invalidateQueries({ queryKey: keyOf(endpoint) })))
}
