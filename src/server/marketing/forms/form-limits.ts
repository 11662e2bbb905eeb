import { createHash } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Suspicion } from '#contract/leads/inbox/suspicions.ts'
import type { DB } from '#server/database/schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { tooMany } from '#server/http/failure.ts'

/** What is counted. The values are stored. */
type Counted =
  | 'accepted without proof'
  | 'held without proof'
  | 'with proof'
  | 'file bytes without proof'
  | 'file bytes with proof'
  | 'replies'

const HOUR = 3_600
const DAY = 24 * HOUR
/** The key of all networks together: of a customer, someone with many networks is as limited as someone with one. */
const ALL = '*'

/** Forms without a proof of work that are accepted within an hour: few visitors browse without JavaScript. */
export const UNPROVEN_AN_HOUR = { network: 5, customer: 120 }
/** Forms in quarantine from a network that sends them without a proof. Its further ones have to wait. */
export const MOST_HELD_AN_HOUR = 100
/** Forms with a proof from one network, such as that of a mobile carrier. Each has cost a computer some work. */
const MOST_PROVEN_AN_HOUR = 300
/** Bytes of files within an hour. A form has at most 100 MB. */
export const FILE_BYTES_AN_HOUR = {
  unproven: { network: 100_000_000, customer: 500_000_000 },
  proven: { network: 1_000_000_000, customer: Infinity },
}

type Total = { total: number; seconds: number }

/**
 * Counts within a window that starts with its first use. Only what the transaction stores is counted.
 * @returns the total including this, and the seconds until the window ends
 */
async function count(
  db: Database,
  kind: Counted,
  key: string,
  { amount = 1, windowSeconds = HOUR } = {},
): Promise<Total> {
  const { rows } = await sql<Total>`
    insert into form_counts as c (kind, key, total) values (${kind}, ${key}, ${amount})
    on conflict (customer_id, kind, key) do update set
      total = excluded.total + case when c.window_started_at < app_now() - ${windowSeconds} * interval '1 second' then 0 else c.total end,
      window_started_at = case when c.window_started_at < app_now() - ${windowSeconds} * interval '1 second'
        then app_now() else c.window_started_at end
    returning total::float8,
      greatest(1, ceil(${windowSeconds} - extract(epoch from app_now() - window_started_at)))::int as seconds`.execute(
    db,
  )
  return rows[0] ?? { total: amount, seconds: windowSeconds }
}

/**
 * Counts a form that is about to be stored for the first time.
 * @returns why it looks like spam, beside the reasons that are known
 * @param of `isAccepted`: its sender was thanked for it already
 * @throws Failure 429 if its network has sent too much that is held, and proves nothing
 */
export async function countForm(
  db: Database,
  of: { network: string; isProven: boolean; isSuspicious: boolean; isAccepted: boolean },
): Promise<Suspicion[]> {
  const { network, isSuspicious } = of
  if (of.isProven) {
    const { total } = await count(db, 'with proof', network)
    return total > MOST_PROVEN_AN_HOUR ? ['rate'] : []
  }
  if (!isSuspicious) {
    const own = await count(db, 'accepted without proof', network)
    if (own.total <= UNPROVEN_AN_HOUR.network) {
      const all = await count(db, 'accepted without proof', ALL)
      if (all.total <= UNPROVEN_AN_HOUR.customer) return []
    }
  }
  const held = await count(db, 'held without proof', network)
  if (held.total > MOST_HELD_AN_HOUR && !of.isAccepted)
    throw tooMany('Too many forms were sent from this network.', held.seconds)
  return isSuspicious ? [] : ['rate']
}

/**
 * Counts the bytes of a file that was received.
 * @returns the minutes that its network has to wait; null if there is room for it now
 */
export async function countFile(
  db: Database,
  { network, isProven, bytes }: { network: string; isProven: boolean; bytes: number },
): Promise<number | null> {
  const kind = isProven ? 'file bytes with proof' : 'file bytes without proof'
  const most = isProven ? FILE_BYTES_AN_HOUR.proven : FILE_BYTES_AN_HOUR.unproven
  const own = await count(db, kind, network, { amount: bytes })
  if (own.total > most.network) return Math.ceil(own.seconds / 60)
  // What one network has too much of doesn't count for the others.
  const all = await count(db, kind, ALL, { amount: bytes })
  return all.total > most.customer ? Math.ceil(all.seconds / 60) : null
}

/** Counts an automatic reply. @returns whether it is the first one of this form to this recipient within a day */
export async function countReply(db: Database, formId: string, email: string): Promise<boolean> {
  const key = createHash('sha256')
    .update(`${formId} ${recipientOf(email)}`)
    .digest('base64url')
  const { total } = await count(db, 'replies', key, { windowSeconds: DAY })
  return total === 1
}

/** Who reads what is sent to an address: most providers deliver `ann+cars@` to `ann@`, and Gmail ignores dots. */
function recipientOf(email: string): string {
  const [, name = '', domain = ''] = /^(.*)@([^@]*)$/.exec(email.toLowerCase()) ?? []
  const [own = ''] = name.split('+')
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com'
  return isGmail ? `${own.replaceAll('.', '')}@gmail.com` : `${own}@${domain}`
}

/** How long spent proofs are remembered: longer than forms may wait for the database to be back. */
const PROOF_DAYS = 60

/** Forgets counts whose window has ended, and proofs that have expired long ago. */
export async function sweepFormLimits(queue: Kysely<DB>): Promise<void> {
  await sql`delete from form_counts where window_started_at < app_now() - ${2 * DAY} * interval '1 second'`.execute(
    queue,
  )
  await sql`delete from spent_proofs where spent_at < app_now() - ${PROOF_DAYS} * interval '1 day'`.execute(
    queue,
  )
}
