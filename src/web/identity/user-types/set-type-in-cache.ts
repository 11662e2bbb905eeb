import { users } from '#contract/identity/users/users.ts'
import { type UserType, userTypes } from '#contract/identity/user-types/user-types.ts'
import { keyOf, queryClient } from '#web/api/query.ts'

/** Puts a user type that was just answered in place of the loaded one. */
export function setTypeInCache(type: UserType): void {
  queryClient.setQueryData([...keyOf(userTypes.get), { id: type.id }], type)
}

/** What a change of a user type shows in: the tree, the lists, and the people of the type. */
export async function invalidateUserTypes(): Promise<void> {
  const changed = [userTypes.forParent, userTypes.list, users.list, users.get, users.permissions]
  await Promise.all(changed.map((endpoint) => queryClient.invalidateQueries({ queryKey: keyOf(endpoint) })))
}
