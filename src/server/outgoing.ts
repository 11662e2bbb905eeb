import {
  OUTGOING_KINDS,
  type OutgoingBegun,
  type OutgoingKind,
  type OutgoingWork,
} from '#contract/home/outgoing.ts'
import { labelOf } from '#contract/record.ts'
import { openWhileRunning } from './database/maintenance.ts'
import { listPending } from './database/migrate.ts'
import { ownerTransactions, withOwner } from './database/open-database.ts'
import type { Settings } from './environment.ts'
import { beginOutgoing, readOutgoing } from './home/index.ts'
import { markCopy } from './installation/copy-state.ts'

type Options = { settings: Settings; say: (line: string) => void }
type Opened = Awaited<ReturnType<typeof openWhileRunning>>

/** What waits in this installation, for its operator, whether or not the product is running. */
export const readOutgoingOnServer = (options: Options): Promise<OutgoingWork> =>
  withDatabase(options, ({ owner }) => ownerTransactions(owner)(readOutgoing))

/** Declares a copy the real installation. @throws Error if it is the real one already */
export const beginOutgoingOnServer = (
  options: Options,
  discards: readonly OutgoingKind[],
): Promise<OutgoingBegun> =>
  withDatabase(options, async ({ owner }) => {
    const begun = await ownerTransactions(owner)((db) => beginOutgoing(db, { discards: [...discards] }, null))
    if (begun === null) throw new Error('This is the real installation already. Nothing waits.')
    return begun
  })

/** Declares an installation a copy, such as one restored with the tools of its database server. */
export const declareCopyOnServer = (options: Options, now: Date): Promise<void> =>
  withDatabase(options, ({ owner }) => withOwner(owner, (client) => markCopy(client, now)))

async function withDatabase<T>(
  { settings, say }: Options,
  work: (database: Opened) => Promise<T>,
): Promise<T> {
  const database = await openWhileRunning(settings, say)
  try {
    if ((await withOwner(database.owner, listPending)).length > 0)
      throw new Error('The database is older than this version. Run npm run migrate first.')
    return await work(database)
  } finally {
    await database.stop()
  }
}

/** What waits, in lines for a terminal. */
export function describeOutgoing({ restoredAt, waiting }: OutgoingWork): string[] {
  if (restoredAt === null) return ['This is the real installation. Nothing waits.']
  return [
    `This installation is a copy, restored ${restoredAt}. It sends and fetches nothing.`,
    ...waiting.map(({ kind, due, discardable, oldestAt, nextAt }) =>
      [
        `${labelOf(OUTGOING_KINDS, kind)}: ${due} due`,
        ...(oldestAt === null ? [] : [`oldest ${oldestAt}`]),
        ...(nextAt === null ? [] : [`next ${nextAt}`]),
        ...(discardable === 0 ? [] : [`--discard-${kind} discards ${discardable}`]),
      ].join(', '),
    ),
    'If the original no longer runs: npm run outgoing -- begin',
  ]
}
