import { sql } from 'kysely'
import type { User } from '#contract/identity/users/users.ts'

/** Whether a person may come in, over `users u` and their `user_access a`, which may not be there. */
export const userStatus = sql<User['state']>`case when not u.is_active then 'off'
  when a.password_set_at is null then 'invited' else 'active' end`
