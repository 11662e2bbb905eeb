import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'
import { parseRecord, readText } from '#web/api/read-json.ts'
import type { Token } from '#contract/identity/sessions/session.ts'

/** Per tab: a response that this tab didn't request is ignored. */
const KEY = 'googleSignIn'

/** Registered with Google for each domain in use. */
const RETURN_PATH = '/auth/google'

/** Loaded on demand, as most users sign in with a password. */
const loadCalls = async () => (await import('#contract/identity/sign-in/google.ts')).google

/** Redirects to Google. @param next where the user wanted to go. */
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

/** `failed`: the reason, as a sentence. */
export type GoogleReturn = { kind: 'done'; token: Token; next: string } | { kind: 'failed'; message: string }

const NOT_REQUESTED = "This Google response doesn't match a sign-in from this tab. Start again."

/** Handles Google's response in the fragment, once. */
export async function handleReturn(fragment: string): Promise<GoogleReturn> {
  const answer = new URLSearchParams(fragment.replace(/^#/, ''))
  const requested = parseRecord(sessionStorage.getItem(KEY) ?? '') ?? {}
  sessionStorage.removeItem(KEY)
  const state = readText(requested, 'state')
  if (state === '' || answer.get('state') !== state) return { kind: 'failed', message: NOT_REQUESTED }
  const token = answer.get('id_token') ?? ''
  // Users can decline at Google.
  if (token === '') return { kind: 'failed', message: "Google didn't sign you in." }
  if (nonceOf(token) !== readText(requested, 'nonce')) return { kind: 'failed', message: NOT_REQUESTED }
  try {
    const { signIn } = await loadCalls()
    const signedIn = await call(signIn, { expiresIn: 0, accessToken: token })
    return { kind: 'done', token: signedIn, next: readText(requested, 'next') }
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure
    return { kind: 'failed', message: failure.message }
  }
}

/** Not verified here; the server does that. */
function nonceOf(token: string): string | null {
  const [, payload = ''] = token.split('.')
  try {
    const claims = parseRecord(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return claims === null ? null : readText(claims, 'nonce')
  } catch {
    return null
  }
}
