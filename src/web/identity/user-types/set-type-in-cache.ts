import { type UserType, userTypes } from '#contract/identity/user-types/user-types.ts'
import { keyOf, queryClient } from '#web/api/query.ts'

/** Replaces the cached user type with a newer response. */
export function setTypeInCache(type: UserType): void {
  queryClient.setQueryData([...keyOf(userTypes.get), { id: type.id }], type)
}

/** Waits until the tree has a new type, so that it can be selected. */
export async function reloadTypeTree(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: keyOf(userTypes.forParent) })
}
