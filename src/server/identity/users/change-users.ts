import { sql } from 'kysely'
import { z } from 'zod'
import { users } from '#contract/identity/users/users.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { Failure } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { changedSince, rowsKind, type JobKind, type Outcome } from '#server/queue/job-kind.ts'
import type { StartJobs } from '#server/queue/jobs.ts'
import { refuseWhileImpersonating } from '../user-types/grant-limits.ts'
import { changeUser } from './update-users.ts'
import { userSource } from './user-list.ts'

const KIND = 'users.change'
/** Each user is checked individually while rows are locked, so batches are smaller than elsewhere. */
const BATCH = 50

/** Activates or deactivates many users in a queued job. */
export function changeUsersHandlers({ startRows }: StartJobs): Pick<Handlers<typeof users>, 'change'> {
  return {
    async change({ db, actor, input: { selection, change } }) {
      refuseWhileImpersonating(actor)
      return startRows(db, actor, {
        kind: KIND,
        payload: { change },
        source: userSource,
        selection,
        title: (rows) => (change.isActive ? `Activate ${rows}` : `Deactivate ${rows}`),
      })
    },
  }
}

/**
 * Does the same as changing the users one by one: same rules, same ended sessions, and same audit log
 * entries, because a user's page shows who activated them.
 */
export function userJob(): JobKind {
  return rowsKind({
    name: KIND,
    needs: users.change.allow,
    payload: z.object({ change: z.object({ isActive: z.boolean() }) }),
    batch: BATCH,
    leavesEntries: true,
    change: async ({ db, actor, payload: { change } }, ids) =>
      forEachUser(db, { ids, madeUntil: null }, async (user) => {
        const { id, isActive } = user
        if (isActive === change.isActive) return { id, before: null }
        return setActive({ db, actor }, user, { ...change, before: { isActive } })
      }),
    undo: {
      needs: users.change.allow,
      before: z.object({ isActive: z.boolean() }),
      rows: async ({ db, actor, payload: { change }, madeUntil }, rows) => {
        const formerly = new Map(rows.map(({ id, before }) => [id, before]))
        return forEachUser(db, { ids: [...formerly.keys()], madeUntil }, async (user) => {
          const { id, name, isActive, updatedBy } = user
          const before = formerly.get(id)
          if (before === undefined || isActive !== change.isActive || user.isChangedSince) {
            return { id, title: name, reason: changedSince(updatedBy) }
          }
          return setActive({ db, actor }, user, { ...before, before: null })
        })
      },
    },
  })
}

type UserRow = {
  id: string
  name: string
  isActive: boolean
  updatedBy: string | null
  isChangedSince: boolean
}

async function forEachUser(
  db: Database,
  { ids, madeUntil }: { ids: readonly string[]; madeUntil: string | null },
  work: (user: UserRow) => Promise<Outcome>,
): Promise<Outcome[]> {
  const { rows } = await sql<UserRow>`
    select u.id, u.first_name || ' ' || u.last_name as name, u.is_active, u.updated_by,
      coalesce(u.updated_at > ${madeUntil}::timestamptz, false) as is_changed_since
    from users u
    where u.id = any(${[...ids]}::bigint[]) order by u.id`.execute(db)
  const outcomes: Outcome[] = []
  for (const user of rows) outcomes.push(await work(user))
  return outcomes
}

async function setActive(
  { db, actor }: { db: Database; actor: Member },
  { id, name }: UserRow,
  { isActive, before }: { isActive: boolean; before: object | null },
): Promise<Outcome> {
  try {
    await changeUser(db, actor, users.update.input.parse({ user: { id, isActive } }))
    return { id, before }
  } catch (error) {
    // A failure for one user doesn't stop the others.
    if (error instanceof Failure) return { id, title: name, reason: error.message }
    throw error
  }
}
