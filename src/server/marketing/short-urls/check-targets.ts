import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { TargetCheck } from '#contract/marketing/short-urls/short-urls.ts'
import type { DB } from '#server/database/schema.ts'
import { askForPage } from '#server/outside/transfer/https.ts'
import { isCertificateFailure, TransferFailure } from '#server/outside/transfer/remote.ts'
import { isOfOpenCustomer, waitAfter, type Waits } from '#server/queue/lease.ts'

/** Nothing of a page is read, so this is for slow servers. */
const BOUNDS = { maxBytes: 0, totalMs: 10_000, stepMs: 8_000, maxNames: 1 } as const
/** Checked at once, and of them at one host: one connection each. */
const AT_ONCE = 24
const AT_ONCE_OF_HOST = 2
/** Between checks of a target that answers, in seconds. */
const REGULAR = 24 * 3_600
/** After the first, second and every later failed check. */
const RETRIES: Waits = [15 * 60, 3_600, 4 * 3_600, REGULAR]

type Due = Readonly<{ customerId: string; id: string; url: string; failures: number }>
type Answer = Pick<TargetCheck, 'answer' | 'status' | 'redirectedTo' | 'reason'>

export type TargetChecks = ReturnType<typeof makeTargetChecks>

/**
 * Asks the sites that short URLs lead to whether the page is there. A schedule runs it, so on one server at a time. What is due is
 * a row (`short_url_checks`), which the change of a short URL writes.
 * @param queue the pool of `forecourt_jobs`
 * @param allowsPrivate targets may have private addresses and other ports: `FORECOURT_PRIVATE_ADDRESSES`
 */
export function makeTargetChecks(queue: Kysely<DB>, { allowsPrivate }: { allowsPrivate: boolean }) {
  return {
    hasDue: async (): Promise<boolean> => {
      const { rows } = await sql`select from short_url_checks d where ${isDue} limit 1`.execute(queue)
      return rows.length > 0
    },
    /** Checks some targets, at most two of a host. */
    checkDue: async (): Promise<void> => {
      const due = await takeDue(queue)
      await Promise.all(
        due.map(async (one) =>
          storeAnswer(queue, one, await askTarget(one.url, { isGuarded: !allowsPrivate })),
        ),
      )
    },
  }
}

/** Nothing is asked for a suspended or closed customer, and nothing in a restored copy. */
const isDue: RawBuilder<boolean> = sql<boolean>`d.next_check_at <= app_clock_timestamp() and ${isOfOpenCustomer(sql`d.customer_id`)}
  and not (select is_restored_copy())`

/** What is due, in turns of customers. Each waits as after a failure, so that one that ends the process isn't asked again at once. */
async function takeDue(queue: Kysely<DB>): Promise<readonly Due[]> {
  const { rows } = await sql<Due>`
    with due as (
      select d.customer_id, d.short_url_id, d.next_check_at,
        row_number() over (partition by d.host order by d.next_check_at, d.short_url_id) as of_host,
        row_number() over (partition by d.customer_id order by d.next_check_at, d.short_url_id) as turn
      from short_url_checks d where ${isDue}
    ), taken as (
      select customer_id, short_url_id from due where of_host <= ${AT_ONCE_OF_HOST} order by turn, next_check_at limit ${AT_ONCE}
    )
    update short_url_checks k set next_check_at = app_clock_timestamp() + ${waitAfter(RETRIES, 1)} * interval '1 second'
    from taken t where k.customer_id = t.customer_id and k.short_url_id = t.short_url_id
    returning k.customer_id::text, k.short_url_id::text as id, k.url, k.failures`.execute(queue)
  return rows
}

/** Unless the short URL leads elsewhere by now. */
async function storeAnswer(
  queue: Kysely<DB>,
  { customerId, id, url, failures }: Due,
  given: Answer,
): Promise<void> {
  const { answer, status, redirectedTo, reason } = given
  const isFailed = !['ok', 'elsewhere', 'refused'].includes(answer)
  const failed = isFailed ? failures + 1 : 0
  const wait = isFailed ? waitAfter(RETRIES, failed) : REGULAR
  await sql`
    update short_url_checks set answer = ${answer}, status = ${status}, redirected_to = ${redirectedTo}, reason = ${reason},
      checked_at = app_clock_timestamp(), failures = ${failed}, next_check_at = app_clock_timestamp() + ${wait} * interval '1 second',
      since = case when answer = ${answer} and status is not distinct from ${status}::int then since else app_clock_timestamp() end
    where customer_id = ${customerId} and short_url_id = ${id} and url = ${url}`.execute(queue)
}

/**
 * What a web address answers.
 * @param isGuarded only the public internet and the usual port, also after a redirect
 */
async function askTarget(url: string, { isGuarded }: { isGuarded: boolean }): Promise<Answer> {
  const { hostname, port, pathname, search } = new URL(url)
  const remote = {
    protocol: 'https' as const,
    host: hostname,
    port: port === '' ? 443 : Number(port),
    path: `${pathname}${search}`,
    user: null,
    secret: null,
    hostKey: null,
    isGuarded,
  }
  try {
    if (isGuarded && port !== '')
      throw new TransferFailure(remote, 'connection', `Port ${port} isn't checked, only the usual one.`)
    const { status, host } = await askForPage(remote, isGuarded ? { ...BOUNDS, ports: [443] } : BOUNDS)
    const isSame = isSameSite(hostname, host)
    return { answer: answerOf(status, { isSame }), status, redirectedTo: isSame ? null : host, reason: null }
  } catch (error) {
    if (!(error instanceof TransferFailure)) throw error
    const none = { status: null, redirectedTo: null, reason: error.reason }
    if (isCertificateFailure(error)) return { answer: 'certificate', ...none }
    return { answer: error.step === 'file' ? 'failed' : 'unreachable', ...none }
  }
}

function answerOf(status: number, { isSame }: { isSame: boolean }): TargetCheck['answer'] {
  if (status === 404 || status === 410) return 'gone'
  // Sign-in, robot protection and limits: a visitor may well see the page.
  if ([401, 403, 405, 406, 407, 429, 451].includes(status)) return 'refused'
  if (status >= 400) return 'failed'
  return isSame ? 'ok' : 'elsewhere'
}

/** Whether two hosts are of one site: `example.com`, `www.example.com` and `shop.example.com` are. */
function isSameSite(one: string, other: string): boolean {
  const [a, b] = [one, other].map((host) => `.${host.toLowerCase().replace(/^www\./, '')}`)
  return a !== undefined && b !== undefined && (a.endsWith(b) || b.endsWith(a))
}
