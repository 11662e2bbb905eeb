import type { Kysely } from 'kysely'
import type pg from 'pg'
import { isDatabaseUnavailable } from '#server/database/faults.ts'
import type { DB } from '#server/database/schema.ts'
import type { Member } from '#server/http/actor.ts'
import { Failure } from '#server/http/failure.ts'
import { finishBeforeStop } from './finish-before-stop.ts'
import { claimJob, hasRunOut, postpone, stopJob, type JobLease } from './job-lease.ts'
import { NotHere, refusalOf, type JobKind } from './job-kind.ts'
import { workFile } from './work-file.ts'
import { workRows } from './work-rows.ts'
import { workTask } from './work-task.ts'

/** Jobs that one server runs at once. */
const LANES = 3
/** The delay before the next look after a failed attempt. */
const AGAIN_MS = 3_000

export type Runner = {
  /** Works until nothing is due. Safe to call at any time, concurrently, and on several servers. */
  runDue: () => Promise<void>
  /** One batch of one job. @returns false if no job is due. */
  runLease: () => Promise<boolean>
  /** Ends after the current batches. */
  stop: () => Promise<void>
}

/** Reads the user a job runs as, before every batch. A string says why they no longer have access. */
export type ReadMember = (standing: {
  customerId: string
  organizationId: string
  actorCustomerId: string
  actorUserId: string
  effectiveCustomerId: string
  effectiveUserId: string
}) => Promise<Member | string>

export function makeRunner({
  pool,
  queue,
  kinds,
  readMember,
  onError,
}: {
  pool: pg.Pool
  queue: Kysely<DB>
  kinds: ReadonlyMap<string, JobKind>
  readMember: ReadMember
  onError: (error: unknown) => void
}): Runner {
  let isStopping = false
  /** With whether it also takes file jobs. One lane never does, so that bulk changes continue while files are written. */
  const lanes = new Map<Promise<void>, boolean>()
  let again: NodeJS.Timeout | null = null

  /** The user with current permissions, or why the job must end. */
  async function standingOf(lease: JobLease, kind: JobKind): Promise<Member | string> {
    const member = await readMember({ ...lease, organizationId: lease.actingOrganizationId })
    if (typeof member === 'string') return member
    if (lease.reach === 'customer' && member.reach !== 'customer') {
      return `${lease.effectiveName} no longer has access to the whole customer.`
    }
    // A user who reaches more now still changes only what they selected then.
    const actor = { ...member, reach: lease.reach }
    return refusalOf(kind, actor, { payload: lease.payload, isUndo: lease.undoOf !== null }) ?? actor
  }

  async function work(lease: JobLease): Promise<void> {
    const kind = kinds.get(lease.kind)
    if (kind === undefined) throw new Error(`Unknown kind of job: ${lease.kind}.`)
    const actor = await standingOf(lease, kind)
    if (typeof actor === 'string') return stopJob(queue, lease, actor)
    const { rows, makeFile, work: task } = kind
    if (rows !== null) return workRows(pool, { ...kind, rows }, { lease, actor })
    if (task !== null) {
      return workTask(
        { pool, queue },
        { ...kind, work: task },
        { lease, actor, isStopping: () => isStopping },
      )
    }
    if (makeFile === null) throw new Error(`Jobs of kind ${lease.kind} have no work.`)
    const refusal = async (): Promise<string | null> => {
      const now = await standingOf(lease, kind)
      return typeof now === 'string' ? now : null
    }
    const reason = await workFile(
      { pool, queue },
      { ...kind, makeFile },
      { lease, actor, refusal, isStopping: () => isStopping },
    )
    if (reason !== null) await stopJob(queue, lease, reason)
  }

  // Kinds that run under one long lease.
  const files = [...kinds.values()].filter((kind) => kind.rows === null).map(({ name }) => name)
  const rows = [...kinds.keys()].filter((name) => !files.includes(name))

  async function runLease({ takesFiles = true } = {}): Promise<boolean> {
    const lease = await claimJob(queue, takesFiles ? [...rows, ...files] : rows, files)
    if (lease === null) return false
    try {
      if (hasRunOut(lease)) await stopJob(queue, lease, 'It crashed its server several times.')
      else await work(lease)
    } catch (error) {
      // A rejection is final: trying again would not help.
      if (error instanceof Failure) await stopJob(queue, lease, sentenceOf(error))
      else if (error instanceof NotHere) await postpone(queue, lease, error.message)
      else {
        onError(error)
        // An unavailable database does not count as a failed attempt.
        await postpone(
          queue,
          isDatabaseUnavailable(error) ? { ...lease, attempts: lease.attempts - 1 } : lease,
        )
        again ??= setTimeout(lookAgain, AGAIN_MS).unref()
      }
    }
    return true
  }

  function lookAgain(): void {
    again = null
    void runDue()
  }

  async function runLane(options: { takesFiles: boolean }): Promise<void> {
    try {
      for (;;) if (isStopping || !(await runLease(options))) return
    } catch (error) {
      // The database is unavailable. The next look tries again.
      onError(error)
    }
  }

  async function runDue(): Promise<void> {
    while (lanes.size < LANES) {
      const isKeptForRows = ![...lanes.values()].includes(false)
      const lane: Promise<void> = runLane({ takesFiles: !isKeptForRows }).finally(() => lanes.delete(lane))
      lanes.set(lane, !isKeptForRows)
    }
    await Promise.all(lanes.keys())
  }

  return {
    runDue,
    runLease,
    async stop() {
      isStopping = true
      if (again !== null) clearTimeout(again)
      await finishBeforeStop(lanes.keys())
    },
  }
}

function sentenceOf({ message, fields }: Failure): string {
  return Object.values(fields ?? {})[0] ?? message
}
