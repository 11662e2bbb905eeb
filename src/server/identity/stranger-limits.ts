import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import { asIdentity, type Database } from '#server/database/tenant-transaction.ts'
import { countEntries, type CountedEntries } from './counted-entries.ts'
import { addressKey } from './credentials/sign-in-failures.ts'

/** What strangers ran into, as the log tells it. The keys are stored. */
const EVENTS = {
  links: "links that don't work were tried",
  forms: 'a public form was refused',
  requests: 'a request without sign-in was refused',
  quarantine: 'the quarantine was full',
} as const

/** A limit that someone without an account reached. */
export type StrangerLimit = Readonly<{
  kind: keyof typeof EVENTS
  /** Whose log it is in: what the request names, whether that exists or not; otherwise the owner of the host. */
  customerId: string | null
  host: string
  ip: string
  endpoint: string
  /** What the stranger was told. */
  message: string
}>

export type StrangerLimits = Pick<CountedEntries<unknown>, 'flush'> & {
  note: (limit: StrangerLimit) => Promise<void>
}

/** Notes limits that strangers reached. The log has one entry for each kind, hour and network, with a count. */
export function makeStrangerLimits(iam: Kysely<DB>, onError: (error: unknown) => void): StrangerLimits {
  const write = (entry: object): Promise<unknown> =>
    sql`select note_stranger_limit(${JSON.stringify(entry)}::jsonb)`.execute(iam)
  const { note, flush } = countEntries<StrangerLimit>(
    ({ customerId, host, ip, kind, endpoint, message }, times) =>
      write({
        customer_id: customerId,
        host,
        kind,
        network: networkOf(ip),
        endpoint,
        after: { event: EVENTS[kind], message, times },
      }),
    onError,
  )
  return {
    note: (limit) => note(`${limit.customerId ?? limit.host} ${limit.kind} ${addressKey(limit.ip)}`, limit),
    flush,
  }
}

/** Notes that what strangers sent is deleted to make room for more of it, in the same transaction of its customer. */
export async function noteFullQuarantine(
  db: Database,
  of: { network: string | null; message: string },
): Promise<void> {
  const entry = {
    kind: 'quarantine',
    network: of.network === null ? null : networkOf(of.network),
    after: { event: EVENTS.quarantine, message: of.message, times: 1 },
  }
  await sql`select note_stranger_limit(${JSON.stringify(entry)}::jsonb
    || jsonb_build_object('customer_id', current_setting('app.customer_id')))`.execute(asIdentity(db))
}

/** The network of an address, as limits count it: "203.0.113.7", "2001:db8:0:1::/64". */
function networkOf(ip: string): string {
  const key = addressKey(ip)
  return key.includes(':') ? `${key}::/64` : key
}
