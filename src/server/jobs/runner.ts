import type { Kysely } from 'kysely'
import type pg from 'pg'
import { isDatabaseAway } from '#server/database/faults.ts'
import type { DB } from '#server/database/schema.ts'
import type { Member } from '#server/http/actor.ts'
import { Failure } from '#server/http/failure.ts'
import { claimJob, hasRunOut, postpone, stopJob, type JobLease } from './claim.ts'
import { NotHere, refusalOf, type JobKind } from './job-kind.ts'
import { workFile } from './work-file.ts'
import { workRows } from './work-rows.ts'
import { workTask } from './work-task.ts'

/** Jobs that one server works on at once: two of one customer, and one of another. */
const LANES = 3
const STOP_MS = 5_000
/** After a turn that went wrong somebody looks again. */
const AGAIN_MS = 3_000

export type Runner = {
  /** Works until nothing is due. Safe to ask for at any time, also twice, also on several servers. */
  runDue: () => Promise<void>
  /** One turn of one job. @returns whether there was one. */
  runLease: () => Promise<boolean>
  /** Ends after the turns under way. */
  stop: () => Promise<void>
}

/** Who a job works as: read anew before every batch. A sentence says why they may not act there any more. */
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
  /** Each with whether it makes files, too: one never does, so that rows get on while files are made. */
  const lanes = new Map<Promise<void>, boolean>()
  let again: NodeJS.Timeout | null = null

  /** The person as they stand now, or why the job ends here. */
  async function standingOf(turn: JobLease, kind: JobKind): Promise<Member | string> {
    const member = await readMember({ ...turn, organizationId: turn.actingOrganizationId })
    if (typeof member === 'string') return member
    if (turn.reach === 'customer' && member.reach !== 'customer') {
      return `${turn.effectiveName} does not reach the whole customer any more.`
    }
    // Somebody who reaches more by now still works on what they chose then.
    const actor = { ...member, reach: turn.reach }
    return refusalOf(kind, actor, { payload: turn.payload, isUndo: turn.undoOf !== null }) ?? actor
  }

  async function work(turn: JobLease): Promise<void> {
    const kind = kinds.get(turn.kind)
    if (kind === undefined) throw new Error(`There is no kind of job ${turn.kind}.`)
    const actor = await standingOf(turn, kind)
    if (typeof actor === 'string') return stopJob(queue, turn, actor)
    const { rows, makeFile, work: task } = kind
    if (rows !== null) return workRows(pool, { ...kind, rows }, { turn, actor })
    if (task !== null) {
      return workTask({ pool, queue }, { ...kind, work: task }, { turn, actor, isStopping: () => isStopping })
    }
    if (makeFile === null) throw new Error(`Jobs of kind ${turn.kind} do nothing.`)
    const refusal = async (): Promise<string | null> => {
      const now = await standingOf(turn, kind)
      return typeof now === 'string' ? now : null
    }
    const reason = await workFile(
      { pool, queue },
      { ...kind, makeFile },
      { turn, actor, refusal, isStopping: () => isStopping },
    )
    if (reason !== null) await stopJob(queue, turn, reason)
  }

  // Whatever is done in one long turn.
  const files = [...kinds.values()].filter((kind) => kind.rows === null).map(({ name }) => name)
  const rows = [...kinds.keys()].filter((name) => !files.includes(name))

  async function runLease({ takesFiles = true } = {}): Promise<boolean> {
    const turn = await claimJob(queue, takesFiles ? [...rows, ...files] : rows, files)
    if (turn === null) return false
    try {
      if (hasRunOut(turn)) await stopJob(queue, turn, 'It ended its server again and again and was given up.')
      else await work(turn)
    } catch (error) {
      // What is refused today is refused tomorrow.
      if (error instanceof Failure) await stopJob(queue, turn, sentenceOf(error))
      else if (error instanceof NotHere) await postpone(queue, turn, error.message)
      else {
        onError(error)
        // Nothing is wrong with a job whose database was away.
        await postpone(queue, isDatabaseAway(error) ? { ...turn, attempts: turn.attempts - 1 } : turn)
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
      // The database is away: the schedule tries again.
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
      let timer: NodeJS.Timeout | undefined
      const late = new Promise((done) => {
        timer = setTimeout(done, STOP_MS)
      })
      await Promise.race([Promise.all(lanes.keys()), late])
      clearTimeout(timer)
    },
  }
}

function sentenceOf({ message, fields }: Failure): string {
  return Object.values(fields ?? {})[0] ?? message
}
