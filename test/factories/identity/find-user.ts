import { users } from '#contract/identity/users/users.ts'
import type { Caller } from '#test/app.ts'

/** The user with this user name, as returned by the list for the caller. */
export async function findUser(caller: Caller, userName: string) {
  const { results } = await caller.call(users.list, { search: userName })
  const found = results.find((user) => user.userName === userName)
  if (found === undefined) throw new Error(`${userName} is not in the list.`)
  return found
}
