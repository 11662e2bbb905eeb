import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'
import { parseRecord, readText } from '#web/api/read-json.ts'
import type { Token } from '#contract/identity/sessions/session.ts'

/** Of this tab alone: an answer that this tab did not ask for is nobody's. */
const KEY = 'googleSignIn'

/** Registered at Google for each address that people use. */
const RETURN_PATH = '/auth/google'

/** The calls come when somebody wants them: most people sign in with a password. */
const loadCalls = async () => (await import('#contract/identity/sign-in/google.ts')).google

/** Leaves for Google. @param next where the person wanted to go. */
export async function leaveForGoogle(next: string | undefined): Promise<void> {
  const { begin } = await loadCalls()
  const { url, nonce } = await call(begin, {})
  const state = crypto.randomUUID()
  sessionStorage.setItem(KEY, JSON.stringify({ state, nonce, next: next ?? '' }))
  const target = new URL(url)
  target.searchParams.set('redirect_uri', `${window.location.origin}${RETURN_PATH}`)
  target.searchParams.set('state', state)
  window.location.assign(target.href)
}

/** `failed`: why, as a sentence. */
export type GoogleReturn = { kind: 'done'; token: Token; next: string } | { kind: 'failed'; message: string }

const NOT_ASKED = 'This answer of Google does not belong to a sign-in of this tab. Start again.'

/** Takes what Google sent back behind `#`, once. */
export async function handleReturn(fragment: string): Promise<GoogleReturn> {
  const answer = new URLSearchParams(fragment.replace(/^#/, ''))
  const asked = parseRecord(sessionStorage.getItem(KEY) ?? '') ?? {}
  sessionStorage.removeItem(KEY)
  const state = readText(asked, 'state')
  if (state === '' || answer.get('state') !== state) return { kind: 'failed', message: NOT_ASKED }
  const token = answer.get('id_token') ?? ''
  // People may say no there.
  if (token === '') return { kind: 'failed', message: 'Google did not sign you in.' }
  if (nonceOf(token) !== readText(asked, 'nonce')) return { kind: 'failed', message: NOT_ASKED }
  try {
    const { signIn } = await loadCalls()
    const signedIn = await call(signIn, { expiresIn: 0, accessToken: token })
    return { kind: 'done', token: signedIn, next: readText(asked, 'next') }
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure
    return { kind: 'failed', message: failure.message }
  }
}

/** Not checked here: the server does that. */
function nonceOf(token: string): string | null {
  const [, payload = ''] = token.split('.')
  try {
    const claims = parseRecord(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return claims === null ? null : readText(claims, 'nonce')
  } catch {
    return null
  }
}
