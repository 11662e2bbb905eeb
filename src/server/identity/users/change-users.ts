import { sql } from 'kysely'
import { z } from 'zod'
import { users } from '#contract/identity/users/users.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { Failure } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { changedSince, rowsKind, type JobKind, type Outcome } from '#server/jobs/job-kind.ts'
import type { StartJobs } from '#server/jobs/jobs.ts'
import { refuseWhileImpersonating } from '../user-types/grant-limits.ts'
import { changeUser } from './update-users.ts'
import { userSource } from './user-list.ts'

const KIND = 'users.change'
/** Each is looked at under the ceiling, with rows held meanwhile: fewer at a time than elsewhere. */
const BATCH = 50

/** Lets many people in or keeps them out: put in line as a job. */
export function changeUsersHandlers({ startRows }: StartJobs): Pick<Handlers<typeof users>, 'change'> {
  return {
    async change({ db, actor, input: { selection, change } }) {
      refuseWhileImpersonating(actor)
      return startRows(db, actor, {
        kind: KIND,
        payload: { change },
        source: userSource,
        selection,
        title: (rows) => (change.isActive ? `Let ${rows} sign in` : `Switch ${rows} off`),
      })
    },
  }
}

/**
 * The same as changing one person after the other: the same rules, the same ends of sessions, and the same entries in
 * the audit log, for a person's page tells who let them in.
 */
export function userJob(): JobKind {
  return rowsKind({
    name: KIND,
    needs: users.change.allow,
    payload: z.object({ change: z.object({ isActive: z.boolean() }) }),
    batch: BATCH,
    leavesEntries: true,
    change: async ({ db, actor, payload: { change } }, ids) =>
      eachPerson(db, { ids, madeUntil: null }, async (person) => {
        const { id, isActive } = person
        if (isActive === change.isActive) return { id, before: null }
        return switchPerson({ db, actor }, person, { ...change, before: { isActive } })
      }),
    undo: {
      needs: users.change.allow,
      before: z.object({ isActive: z.boolean() }),
      rows: async ({ db, actor, payload: { change }, madeUntil }, rows) => {
        const formerly = new Map(rows.map(({ id, before }) => [id, before]))
        return eachPerson(db, { ids: [...formerly.keys()], madeUntil }, async (person) => {
          const { id, name, isActive, updatedBy } = person
          const before = formerly.get(id)
          if (before === undefined || isActive !== change.isActive || person.isChangedSince) {
            return { id, title: name, reason: changedSince(updatedBy) }
          }
          return switchPerson({ db, actor }, person, { ...before, before: null })
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

async function eachPerson(
  db: Database,
  { ids, madeUntil }: { ids: readonly string[]; madeUntil: string | null },
  work: (person: UserRow) => Promise<Outcome>,
): Promise<Outcome[]> {
  const { rows } = await sql<UserRow>`
    select u.id, u.first_name || ' ' || u.last_name as name, u.is_active, u.updated_by,
      coalesce(u.updated_at > ${madeUntil}::timestamptz, false) as is_changed_since
    from users u
    where u.id = any(${[...ids]}::bigint[]) order by u.id`.execute(db)
  const outcomes: Outcome[] = []
  for (const person of rows) outcomes.push(await work(person))
  return outcomes
}

async function switchPerson(
  { db, actor }: { db: Database; actor: Member },
  { id, name }: UserRow,
  { isActive, before }: { isActive: boolean; before: object | null },
): Promise<Outcome> {
  try {
    await changeUser(db, actor, users.update.input.parse({ user: { id, isActive } }))
    return { id, before }
  } catch (error) {
    // What one person is refused does not keep the others out.
    if (error instanceof Failure) return { id, title: name, reason: error.message }
    throw error
  }
}
