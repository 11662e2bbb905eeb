import { sql } from 'kysely'
import type { google as calls } from '#contract/identity/sign-in/google.ts'
import type { Visit } from '#server/http/actor.ts'
import { notFound, tooMany, unauthenticated } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { Google } from '#server/outside/google.ts'
import type { Nonces } from './google-nonces.ts'
import type { Identity } from '../identity.ts'
import { addressKey, addressWait, countAddressFailure } from '../credentials/sign-in-failures.ts'
import { isDemoOpen, openSession, type Account } from './sign-in.ts'

const INVALID_TOKEN = "Google sign-in didn't work. Try again, or sign in with your password."
const NO_USER =
  "This Google account isn't linked to a user. Sign in with your password, or contact your administrator."

/**
 * Sign-in with Google: an ID token replaces the password; everything after it is the same. It never creates a
 * user, and users without a password must set one first. `google` is null if it isn't set up.
 */
export function googleHandlers(
  identity: Identity,
  { google, nonces }: { google: Google | null; nonces: Nonces },
): Handlers<typeof calls> {
  const { iam, settings } = identity
  const requireGoogle = () => {
    if (google === null) throw notFound('Google sign-in')
    return google
  }
  // A token signed by Google can't be guessed, so only rejected callers are slowed down by failures at the
  // same address.
  const refuse = async (visit: Visit, sentence: string): Promise<never> => {
    const key = addressKey(visit.ip)
    const wait = await addressWait(iam, key, settings.signInFailuresPerMinute)
    if (wait !== null)
      throw tooMany('Too many failed sign-ins from this address. Wait a minute and try again.', wait)
    await countAddressFailure(iam, key)
    throw unauthenticated(sentence)
  }
  return {
    async begin({ visit }) {
      const nonce = nonces.issue(visit.host)
      return { url: requireGoogle().signInUrl(nonce), nonce }
    },

    async signIn({ visit, input }) {
      const provider = requireGoogle()
      const found = await provider.read(input.accessToken)
      if (found === null || !(await nonces.use(found.nonce, visit.host))) return refuse(visit, INVALID_TOKEN)
      const account = await findByEmail(identity, { email: found.email, host: visit.host })
      const passwordHash = account?.passwordHash ?? null
      if (account === null || passwordHash === null || (account.isDemo && !isDemoOpen(settings, visit))) {
        return refuse(visit, NO_USER)
      }
      return openSession(identity, visit, account, {
        passwordHash,
        isRemembered: false,
        endpoint: 'google.signIn',
      })
    },
  }
}

/** The only user with this address; on a customer's domain, only users of that customer. */
async function findByEmail(
  { iam }: Identity,
  { email, host }: { email: string; host: string },
): Promise<Account | null> {
  const { rows } = await sql<Account>`
    select u.customer_id, u.id, u.user_name_key, c.password_hash, u.is_demo
    from users u
    join customers home on home.id = u.customer_id and home.status = 'active'
    left join iam.credentials c on c.customer_id = u.customer_id and c.user_id = u.id
    where u.email_key = lower(${email}) and u.is_active
      and not exists (select from white_labels w join customers owner on owner.id = w.customer_id
        where w.domain = ${host} and w.verified_at is not null and owner.status = 'active'
          and w.customer_id <> u.customer_id)
    limit 2`.execute(iam)
  return rows.length === 1 ? (rows[0] ?? null) : null
}
