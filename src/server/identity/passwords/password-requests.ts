import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Identity, PasswordRequest, PasswordRequests } from '../identity.ts'
import { FORGOT, mailPasswordLink } from './password-mails.ts'
import { countRequest } from '../request-counts.ts'

const MAILS_AN_HOUR = 3
/** Of the people who share an email address so many get a mail each. */
const MOST_PEOPLE = 5
/** Requests that are worked on at once; the renderer takes their customers in turn. */
const MOST_AT_ONCE = 50
/** Far longer than one takes: after that its process is gone, and another one takes it over. */
const LEASE_MINUTES = 5
/** A request that failed is tried again after a minute, and given up after so many attempts. */
const MOST_ATTEMPTS = 5
/** Requests under way get this long when the server stops; the others wait for its next start. */
const STOP_MS = 5_000

/** Writes the emails of forgotten passwords in the background, from rows that outlive the process. */
export function makePasswordRequests(identity: () => Identity): PasswordRequests {
  const active = new Set<Promise<void>>()
  let busy = 0
  let isClaiming = false
  let isAskedAgain = false
  let mayMoreWait = false
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
      isAskedAgain = true
      return
    }
    isClaiming = true
    try {
      do {
        isAskedAgain = false
        await takeSome()
        // What came in meanwhile is not among them.
      } while (isAskedAgain)
    } finally {
      isClaiming = false
    }
  }

  async function takeSome(): Promise<void> {
    const room = MOST_AT_ONCE - busy
    const claimed = room > 0 ? await claim(identity(), room) : []
    mayMoreWait = claimed.length === Math.max(0, room)
    busy += claimed.length
    for (const one of claimed) {
      const done = answer(identity(), one).finally(() => {
        busy -= 1
        if (mayMoreWait) wake()
      })
      track(done)
    }
  }

  const wake = (): void => track(start())
  const idle = async (): Promise<void> => {
    while (active.size > 0) await Promise.all(active)
  }
  return {
    async add({ userName, email, reachesDemo }) {
      await identity()
        .iam.insertInto('iam.passwordRequests')
        .values({ userName, email, reachesDemo })
        .execute()
      wake()
    },
    wake,
    idle,
    async stop() {
      isStopped = true
      await Promise.race([idle(), wait(STOP_MS, null, { ref: false })])
    },
  }
}

type Claimed = PasswordRequest & { id: string; attempts: number }

async function claim({ iam }: Identity, most: number): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    update iam.password_requests r set attempts = r.attempts + 1,
      next_attempt_at = app_now() + ${LEASE_MINUTES} * interval '1 minute'
    where r.id in (select d.id from iam.password_requests d where d.next_attempt_at <= app_now()
      order by d.next_attempt_at, d.id limit ${most} for update skip locked)
    returning r.id, r.user_name, r.email, r.reaches_demo, r.attempts`.execute(iam)
  return rows
}

async function answer(identity: Identity, request: Claimed): Promise<void> {
  const { iam } = identity
  try {
    for (const { isDemo, ...person } of await findUsers(identity, request)) {
      if (!isDemo || request.reachesDemo) await mailTo(identity, person)
    }
  } catch (error) {
    identity.onError(error)
    if (request.attempts < MOST_ATTEMPTS) {
      await sql`update iam.password_requests set next_attempt_at = app_now() + interval '1 minute'
        where id = ${request.id}`.execute(iam)
      return
    }
  }
  await iam.deleteFrom('iam.passwordRequests').where('id', '=', request.id).execute()
}

type UserRow = { customerId: string; userId: string }

async function mailTo(identity: Identity, person: UserRow): Promise<void> {
  const { iam } = identity
  const key = `${person.customerId}/${person.userId}`
  const { count } = await countRequest(iam, 'password mails of an account', key, 3_600)
  if (count > MAILS_AN_HOUR) return
  await mailPasswordLink(identity, person, { links: iam, mails: iam, by: null, endpoint: FORGOT })
}

/** Both words given must be of one person; several may have an email, in one customer or in many. */
async function findUsers(
  { iam }: Identity,
  { userName, email }: PasswordRequest,
): Promise<(UserRow & { isDemo: boolean })[]> {
  const { rows } = await sql<UserRow & { isDemo: boolean }>`
    select u.customer_id, u.id as user_id, u.is_demo
    from users u join customers home on home.id = u.customer_id and home.status = 'active'
    where u.is_active and (${userName} = '' or u.user_name_key = ${userName})
      and (${email} = '' or u.email_key = ${email})
    order by u.id limit ${MOST_PEOPLE}`.execute(iam)
  return rows
}
