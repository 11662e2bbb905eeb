import { sql } from 'kysely'
import { z } from 'zod'
import { LeadsChange } from '#contract/leads/inbox/change-leads.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, Failure, refused } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { findChanged, readSeen, SeenRows } from '#server/lists/seen-rows.ts'
import { rowsKind, type Outcome } from '#server/queue/job-kind.ts'
import type { StartJobs } from '#server/queue/jobs.ts'
import { noteLeadEvents, type NewLeadEvent } from '../events/lead-events.ts'
import { shareLead } from '../routing/share-lead.ts'
import { readDestinations } from '../routing/rule-rows.ts'
import { leadSource, personTitle } from './lead-source.ts'
import { type LockedLead, lockLead } from './lock-lead.ts'
import { readWork, restoreWork, WorkBefore } from './restore-work.ts'
import { giveLead, requireFuture, setLeadOutcome, snoozeLead } from './work-on-lead.ts'

/** Each lead is checked like a single one while it is locked. */
const BATCH = 50

/** Changes many leads, as a job. */
export function changeLeadsHandlers({ startRows }: StartJobs): Pick<Handlers<typeof leads>, 'change'> {
  return {
    async change({ db, actor, input: { selection, change, ...seen } }) {
      if (change.kind === 'snooze' && change.until !== null) requireFuture(change.until)
      return startRows(db, actor, {
        kind: leadsJob.name,
        payload: { change, seen: await readSeen(db, seen) },
        source: leadSource,
        selection,
        title: await titleOf(db, actor, change),
      })
    },
  }
}

/** @throws Failure 400 if there is no such user or team. */
async function titleOf(
  db: Database,
  { customerId }: Member,
  change: LeadsChange,
): Promise<(rows: string) => string> {
  switch (change.kind) {
    case 'assign': {
      if (change.userId === null) return (rows) => `Remove the owners of ${rows}`
      const name = await userName(db, customerId, change.userId)
      return (rows) => `Assign ${rows} to ${name}`
    }
    case 'share': {
      const team = await readTeam(db, customerId, change.teamId)
      if (team === null) throw refused('Some fields are invalid.', { teamId: 'Choose a team with members.' })
      return (rows) => `Share ${rows} among ${team.name}`
    }
    case 'close':
      return (rows) => `Close ${rows}: ${change.lostReason}`
    case 'reopen':
      return (rows) => `Reopen ${rows}`
    default:
      return (rows) => (change.until === null ? `End the snooze of ${rows}` : `Snooze ${rows}`)
  }
}

async function userName(db: Database, customerId: string, id: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select concat_ws(' ', first_name, last_name) as name from users where customer_id = ${customerId} and id = ${id}`.execute(
    db,
  )
  const [user] = rows
  if (user === undefined)
    throw refused('Some fields are invalid.', { userId: 'Choose someone who can work on these leads.' })
  return user.name
}

async function readTeam(db: Database, customerId: string, id: string) {
  const team = (await readDestinations(db, customerId)).get(id)
  return team === undefined || team.kind !== 'team' || team.members.length === 0 ? null : team
}

export const leadsJob = rowsKind({
  name: 'leads.change',
  needs: leads.change.allow,
  payload: z.object({ change: LeadsChange, seen: SeenRows }),
  batch: BATCH,
  change: ({ db, actor, payload: { change, seen } }, ids) =>
    forEachLead(db, ids, async (lead, title) => {
      const changed = findChanged(seen, [{ id: lead.id, before: await readAge(db, lead.id) }])
      const why = changed.get(lead.id)
      if (why !== undefined) return { id: lead.id, title, reason: why }
      const state = await readWork(db, lead.id)
      const events = await applyChange({ db, actor }, lead, change)
      if (events === null) return { id: lead.id, before: null }
      await noteLeadEvents(db, lead, events)
      return { id: lead.id, before: { state, made: await readWork(db, lead.id) } satisfies WorkBefore }
    }),
  undo: {
    needs: leads.change.allow,
    before: WorkBefore,
    rows: ({ db }, rows) => {
      const formerly = new Map(rows.map(({ id, before }) => [id, before]))
      return forEachLead(db, [...formerly.keys()], async (lead, title) => {
        const before = formerly.get(lead.id)
        const why = before === undefined ? null : await restoreWork(db, lead, before)
        return why === null ? { id: lead.id, before: null } : { id: lead.id, title, reason: why }
      })
    },
  },
})

/** What is done with one lead. Null: nothing, because it is so already. @throws Failure 400, 409 */
async function applyChange(
  { db, actor }: { db: Database; actor: Member },
  lead: LockedLead,
  change: LeadsChange,
): Promise<NewLeadEvent[] | null> {
  switch (change.kind) {
    case 'assign':
      return lead.ownerId === change.userId ? null : giveLead(db, lead, { actor, userId: change.userId })
    case 'share': {
      const team = await readTeam(db, actor.customerId, change.teamId)
      if (team === null) throw conflict('The team was deleted or has no members anymore.')
      await shareLead(db, lead, { actor, team })
      return []
    }
    case 'close': {
      const isSame = lead.outcome === 'lost'
      return isSame ? null : setLeadOutcome(db, lead, { outcome: 'lost', lostReason: change.lostReason })
    }
    case 'reopen':
      return lead.outcome === 'open' ? null : setLeadOutcome(db, lead, { outcome: 'open' })
    default:
      if (change.until === null && lead.snoozedUntil === null) return null
      return snoozeLead(db, lead, { actor, until: change.until })
  }
}

/** Locks one lead after another. One that is refused doesn't keep the others. */
async function forEachLead(
  db: Database,
  ids: readonly string[],
  work: (lead: LockedLead, title: string) => Promise<Outcome>,
): Promise<Outcome[]> {
  const { rows } = await sql<{ id: string; title: string }>`
    select l.id::text, ${personTitle} as title from ${leadSource.from} where l.id = any(${[...ids]}::bigint[]) order by l.id`.execute(
    db,
  )
  const outcomes: Outcome[] = []
  for (const { id, title } of rows) {
    // oxlint-disable-next-line no-await-in-loop -- One connection, and in the order of their IDs, so that two jobs can't lock each other out.
    outcomes.push(await lockAndWork(db, { id, title }, work))
  }
  return outcomes
}

async function lockAndWork(
  db: Database,
  { id, title }: { id: string; title: string },
  work: (lead: LockedLead, title: string) => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await work(await lockLead(db, id), title)
  } catch (error) {
    if (error instanceof Failure) return { id, title, reason: reasonOf(error) }
    throw error
  }
}

/** The sentence that says why: of an invalid field, if there is one. */
const reasonOf = ({ message, fields }: Failure): string => Object.values(fields ?? {})[0] ?? message

/** What `findChanged` compares. */
async function readAge(db: Database, id: string): Promise<{ version: number; updated_at: string }> {
  const { rows } = await sql<{ version: number; updatedAt: string }>`
    select version, updated_at from leads where id = ${id}`.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error('A locked lead does not exist.')
  return { version: found.version, updated_at: found.updatedAt }
}
