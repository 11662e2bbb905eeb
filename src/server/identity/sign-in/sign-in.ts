import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import type { auth } from '#contract/identity/auth.ts'
import type { Token } from '#contract/identity/sessions/session.ts'
import type { AsOwner } from '#server/database/tenant-transaction.ts'
import { isLoopbackHost } from '#server/environment.ts'
import type { Visit } from '#server/http/actor.ts'
import { tooMany, unauthenticated } from '#server/http/failure.ts'
import { readFactors, otpChannels, type UserRow } from '../credentials/factor-state.ts'
import { readGuessLimits } from '../credentials/guess-limits.ts'
import type { Identity } from '../identity.ts'
import { rememberBrowser } from '../credentials/known-browsers.ts'
import { addSession, readSession, rememberedSeconds } from '../sessions/sessions.ts'
import { noteAccess, noteFailedSignIn, originOf } from './note-access.ts'
import { addressKey, clearNetworkFailures, formatWait } from '../credentials/sign-in-failures.ts'
import { renewHash } from '../credentials/stored-passwords.ts'
import { listSwitchChoices } from '../sessions/switch-choices.ts'
import { issueToken } from '../sessions/token-issue.ts'
import { fingerprintOf, newCookie } from '../credentials/tokens.ts'
import { isTrusted } from '../credentials/trusted-devices.ts'

/** One message for a wrong name and a wrong password, so that it doesn't reveal which it was. */
const SIGN_IN_FAILED =
  'The user name or password is incorrect. After several incorrect attempts, wait a few minutes before trying again.'

/**
 * The same for every failure with an email address: a wait isn't said there, because it would tell that the address and a user
 * name are one account, so both reasons are named, whichever it was.
 */
const SIGN_IN_BY_EMAIL_FAILED =
  'The email address or password is incorrect, or sign-in waits after several incorrect attempts. If both are right, sign in with your user name, which tells you how long to wait, or try again in 15 minutes.'

const failedSignIn = (typed: string) =>
  unauthenticated(typed.includes('@') ? SIGN_IN_BY_EMAIL_FAILED : SIGN_IN_FAILED)

/** Why a person who proved their password still can't sign in. No one else reads it. */
export const CLOSED = {
  suspended: "Your company's access is suspended. Contact the person who manages your company's account.",
  closed: "Your company's access has ended. Contact the person who manages your company's account.",
  deactivated: 'Your access was deactivated. Contact your administrator.',
  archived: 'Your organization was archived, so no one works in it anymore. Contact your administrator.',
} as const

export type Account = {
  userNameKey: string
  customerId: string
  id: string
  passwordHash: string | null
  isDemo: boolean
}

/**
 * Signs in. The organization is chosen if there is exactly one. If a second factor is due, the session waits
 * for it, without an organization.
 */
export async function signIn(
  identity: Identity,
  visit: Visit,
  given: Received<typeof auth.signIn>,
): Promise<Token> {
  const typed = given.username.toLowerCase()
  const account = await findAccount(identity, typed)
  // Failures count for what was entered, and for the account however it was named, so that the email address isn't a second
  // set of attempts.
  const name = account?.userNameKey ?? typed
  const isRight = await identity.passwords.inLane((matches) =>
    guess(identity, { name, typed, visit, account, password: given.password }, matches),
  )
  const compared = account?.passwordHash ?? null
  if (!isRight || account === null || compared === null) throw failedSignIn(typed)
  if (account.closedBy !== null) throw unauthenticated(CLOSED[account.closedBy])
  await clearNetworkFailures(identity.iam, { names: [typed, name], network: addressKey(visit.ip) })
  const passwordHash = identity.passwords.isOutdated(compared)
    ? await renewHash(identity, account, { password: given.password, compared })
    : compared
  return openSession(identity, visit, account, { passwordHash, isRemembered: given.isRemember === true })
}

type Guess = { name: string; typed: string; visit: Visit; account: Account | null; password: string }

/** One guess: the limits are checked right before it, and the result is counted right after. */
async function guess(
  identity: Identity,
  { name, typed, visit, account, password }: Guess,
  matches: Identity['passwords']['matches'],
): Promise<boolean> {
  const limits = await readGuessLimits(identity, visit, { name, typed, user: account && userOf(account) })
  if (limits.nameWait !== null) {
    const wait = formatWait(limits.nameWait)
    const sentence = `Too many failed sign-ins with this user name. Wait ${wait} and try again.`
    if (account !== null)
      await noteBlocked(identity, visit, account, 'Too many failed sign-ins for this account.')
    throw tooMany(sentence, limits.nameWait)
  }
  if (limits.addressWait !== null) {
    const sentence = 'Too many failed sign-ins from this address. Wait a minute and try again.'
    if (account !== null) await noteBlocked(identity, visit, account, sentence)
    throw tooMany(sentence, limits.addressWait)
  }
  if (limits.mustWait && account !== null)
    await noteBlocked(identity, visit, account, 'Too many failed sign-ins for this account.')
  const isBlocked = limits.mustWait || (account?.isDemo === true && !isDemoOpen(identity.settings, visit))
  const isRight = await matches(isBlocked ? null : (account?.passwordHash ?? null), password)
  if (!isRight) {
    const user = account && userOf(account)
    await Promise.all([
      limits.countFailure(),
      noteFailedSignIn(identity.iam, visit, user, { endpoint: 'auth.signIn', factor: 'password' }),
    ])
  }
  return isRight
}

/** Logs a sign-in that the limits refuse without comparing the password. */
const noteBlocked = (identity: Identity, visit: Visit, account: Account, message: string): Promise<void> =>
  identity.refusals.ofAccount(userOf(account), { endpoint: 'auth.signIn', message, origin: originOf(visit) })

const userOf = ({ customerId, id }: Account): UserRow => ({ customerId, userId: id })

/** Whether there are demo users who can sign in on this machine: the start prints their accounts then. */
export async function hasOpenDemo(
  asOwner: AsOwner,
  { demo, isLoopback }: Identity['settings'],
): Promise<boolean> {
  if (!(demo ?? isLoopback)) return false
  return asOwner(async (db) => {
    const found = await db
      .selectFrom('users')
      .select('id')
      .where('isDemo', '=', true)
      .limit(1)
      .executeTakeFirst()
    return found !== undefined
  })
}

/**
 * The password of the demo users is in the README, so they can sign in only under a name of this machine
 * itself: not if the server listens to others, nor under a public host name. FORECOURT_DEMO=1 allows it, 0
 * prevents it.
 */
export function isDemoOpen({ demo, isLoopback }: Identity['settings'], { host }: Visit): boolean {
  return demo ?? (isLoopback && isLoopbackHost(host))
}

/**
 * Finds an account by user name, or by email address if only one user has it. Among several, those that can sign in count.
 */
async function findAccount({ iam }: Identity, name: string): Promise<SignInAccount | null> {
  const { rows } = await sql<SignInAccount & { isByName: boolean }>`
    select u.customer_id, u.id, u.user_name_key, c.password_hash, u.is_demo, u.user_name_key = ${name} as is_by_name,
      case when home.status <> 'active' then home.status when not u.is_active then 'deactivated' end as closed_by
    from users u
    join customers home on home.id = u.customer_id
    left join iam.credentials c on c.customer_id = u.customer_id and c.user_id = u.id
    where u.user_name_key = ${name} or u.email_key = ${name}
    order by is_by_name desc, closed_by nulls first limit 3`.execute(iam)
  const byName = rows.find((row) => row.isByName)
  const open = rows.filter(({ closedBy }) => closedBy === null)
  const [only, ...others] = open.length > 0 ? open : rows
  return byName ?? (others.length === 0 ? (only ?? null) : null)
}

type SignInAccount = Account & { closedBy: Exclude<keyof typeof CLOSED, 'archived'> | null }

type NewSession = { passwordHash: string; isRemembered: boolean; endpoint?: 'auth.signIn' | 'google.signIn' }
const ONE_STEP = { 'auth.signIn': 'signed in', 'google.signIn': 'signed in with Google' } as const

/**
 * Opens a session after the user's identity is proven. @throws Failure 401 if the password was changed in the
 * meantime, or all organizations of the user are archived.
 */
export async function openSession(
  identity: Identity,
  visit: Visit,
  account: Account,
  { passwordHash, isRemembered, endpoint = 'auth.signIn' }: NewSession,
): Promise<Token> {
  const { iam, tokens } = identity
  const of = userOf(account)
  const choices = await listSwitchChoices(iam, of, { most: 2 })
  if (choices.length === 0 && (await hasArchived(iam, of))) throw unauthenticated(CLOSED.archived)
  const isVerified = !(await isFactorDue(identity, visit, of))
  const only = isVerified && choices.length === 1 ? choices[0] : undefined
  const id = randomUUID()
  const cookie = visit.isWebClient ? newCookie(id) : null
  const isOpen = await addSession(iam, {
    id,
    passwordHash,
    customerId: account.customerId,
    userId: account.id,
    actingCustomerId: only?.customerId ?? account.customerId,
    organizationId: only?.id ?? null,
    isVerified,
    isRemembered: isRemembered && cookie !== null,
    cookieHash: cookie === null ? null : fingerprintOf(cookie),
    userAgent: visit.userAgent,
    ip: visit.ip,
  })
  if (!isOpen) throw unauthenticated(SIGN_IN_FAILED)
  if (isVerified) {
    await noteSignIn(iam, visit, of, { endpoint, what: ONE_STEP[endpoint] })
  }
  if (cookie !== null) {
    visit.setSessionCookies({
      secret: cookie,
      xsrf: tokens.xsrf(id),
      seconds: isRemembered ? rememberedSeconds : null,
    })
  }
  const session = await readSession(iam, id)
  if (session === null) throw unauthenticated(SIGN_IN_FAILED)
  return issueToken(identity, session)
}

/** Whether the user belongs to an archived organization. */
async function hasArchived(iam: Identity['iam'], of: UserRow): Promise<boolean> {
  const { rows } = await sql`
    select from memberships m join organizations o on o.customer_id = m.customer_id and o.id = m.organization_id
    where m.customer_id = ${of.customerId} and m.user_id = ${of.userId} and o.archived_at is not null limit 1`.execute(
    iam,
  )
  return rows.length > 0
}

/** Whether a second factor is due, or has to be set up. A trusted device replaces it. */
async function isFactorDue(identity: Identity, visit: Visit, of: UserRow): Promise<boolean> {
  const state = await readFactors(identity.iam, of)
  if (state === null || (await otpChannels(identity, state)).length === 0) return false
  return !(await isTrusted(identity.iam, visit, of))
}

/**
 * Records when and on which browser the user signed in, in the audit log and outside the user's row, whose version stays.
 */
export async function noteSignIn(
  iam: Identity['iam'],
  visit: Visit,
  of: UserRow,
  how: { endpoint: string; what: string },
): Promise<void> {
  await noteAccess(iam, visit, of, how)
  await iam
    .insertInto('userAccess')
    .values({ ...of, lastSignInAt: sql`app_now()` })
    .onConflict((on) => on.columns(['customerId', 'userId']).doUpdateSet({ lastSignInAt: sql`app_now()` }))
    .execute()
  await rememberBrowser(iam, visit, of)
}
