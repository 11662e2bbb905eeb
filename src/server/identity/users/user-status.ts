import { sql } from 'kysely'
import type { User } from '#contract/identity/users/users.ts'

/** Whether a user can sign in, from `users u` and an optional `user_access a`. */
export const userStatus = sql<User['state']>`case when not u.is_active then 'off'
  when a.password_set_at is null then 'invited' else 'active' end`
