import { sql } from 'kysely'
import { finishBeforeStop } from '#server/queue/finish-before-stop.ts'
import type { Identity, PasswordRequest, PasswordRequests } from '../identity.ts'
import { FORGOT, mailPasswordLink } from './password-mails.ts'
import { countRequest } from '../request-counts.ts'

const MAILS_AN_HOUR = 3
/** At most this many users who share an email address get an email each. */
const MAX_USERS = 5
/** Requests handled concurrently; the renderer alternates between their customers. */
const MAX_CONCURRENT = 50
/** Far longer than a request takes. After that its process must be gone, and another one takes over. */
const LEASE_MINUTES = 5
/** A failed request is retried after a minute, up to this number of attempts. */
const MAX_ATTEMPTS = 5

/** Sends password emails in the background. Requests are stored in a table, so they survive a restart. */
export function makePasswordRequests(identity: () => Identity): PasswordRequests {
  const active = new Set<Promise<void>>()
  let busy = 0
  let isClaiming = false
  let mustRepeat = false
  let mayHaveMore = false
  let isStopped = false

  function track(work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => identity().onError(error))
      .finally(() => void active.delete(tracked))
    active.add(tracked)
  }

  async function start(): Promise<void> {
    if (isStopped) return
    if (isClaiming) {
      mustRepeat = true
      return
    }
    isClaiming = true
    try {
      do {
        mustRepeat = false
        await claimSome()
        // Requests added in the meantime aren't among those just claimed.
      } while (mustRepeat)
    } finally {
      isClaiming = false
    }
  }

  async function claimSome(): Promise<void> {
    const capacity = MAX_CONCURRENT - busy
    const claimed = capacity > 0 ? await claim(identity(), capacity) : []
    mayHaveMore = claimed.length === Math.max(0, capacity)
    busy += claimed.length
    for (const one of claimed) {
      const done = answer(identity(), one).finally(() => {
        busy -= 1
        if (mayHaveMore) wake()
      })
      track(done)
    }
  }

  const wake = (): void => track(start())
  const idle = async (): Promise<void> => {
    while (active.size > 0) await Promise.all(active)
  }
  return {
    async add({ userName, email, reachesDemo, origin: { address, device } }) {
      await identity()
        .iam.insertInto('iam.passwordRequests')
        .values({ userName, email, reachesDemo, address, device })
        .execute()
      wake()
    },
    wake,
    idle,
    async stop() {
      isStopped = true
      // Requests that have not begun wait for the next start.
      await finishBeforeStop([idle()])
    },
  }
}

type Claimed = Omit<PasswordRequest, 'origin'> & {
  id: string
  attempts: number
  address: string | null
  device: string | null
}

async function claim({ iam }: Identity, most: number): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    update iam.password_requests r set attempts = r.attempts + 1,
      next_attempt_at = app_now() + ${LEASE_MINUTES} * interval '1 minute'
    where r.id in (select d.id from iam.password_requests d where d.next_attempt_at <= app_now()
        -- Stored before the clock was set back.
        or d.next_attempt_at > app_now() + 2 * ${LEASE_MINUTES} * interval '1 minute'
      order by d.next_attempt_at, d.id limit ${most} for update skip locked)
    returning r.id, r.user_name, r.email, r.reaches_demo, r.attempts, r.address, r.device`.execute(iam)
  return rows
}

async function answer(identity: Identity, request: Claimed): Promise<void> {
  const { iam } = identity
  try {
    for (const { isDemo, ...user } of await findUsers(identity, request)) {
      if (!isDemo || request.reachesDemo) await sendPasswordLink(identity, user, request)
    }
  } catch (error) {
    identity.onError(error)
    if (request.attempts < MAX_ATTEMPTS) {
      await sql`update iam.password_requests set next_attempt_at = app_now() + interval '1 minute'
        where id = ${request.id}`.execute(iam)
      return
    }
  }
  await iam.deleteFrom('iam.passwordRequests').where('id', '=', request.id).execute()
}

type UserRow = { customerId: string; userId: string }

async function sendPasswordLink(
  identity: Identity,
  user: UserRow,
  { address, device }: Claimed,
): Promise<void> {
  const { iam } = identity
  const key = `${user.customerId}/${user.userId}`
  const { count } = await countRequest(iam, 'password mails of an account', key, 3_600)
  if (count > MAILS_AN_HOUR) return
  const origin = address === null || device === null ? null : { address, device }
  await mailPasswordLink(identity, user, { links: iam, mails: iam, by: null, endpoint: FORGOT, origin })
}

/**
 * If both a user name and an email address are given, both must match. Several users may share an address, in
 * one customer or in many.
 */
async function findUsers(
  { iam }: Identity,
  { userName, email }: Pick<PasswordRequest, 'userName' | 'email'>,
): Promise<(UserRow & { isDemo: boolean })[]> {
  const { rows } = await sql<UserRow & { isDemo: boolean }>`
    select u.customer_id, u.id as user_id, u.is_demo
    from users u join customers home on home.id = u.customer_id and home.status = 'active'
    where u.is_active and (${userName} = '' or u.user_name_key = ${userName})
      and (${email} = '' or u.email_key = ${email})
    order by u.id limit ${MAX_USERS}`.execute(iam)
  return rows
}
