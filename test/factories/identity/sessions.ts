import { createHmac, randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { Claims } from '#contract/identity/sessions/session.ts'
import { makeTokens } from '#server/identity/credentials/tokens.ts'
import { INSTALL_ID, makeCaller, type Caller, type TestApp } from '#test/app.ts'
import { secrets } from '#test/harness/secrets.ts'
import { DEMO_PASSWORD } from '../../../demo/world.ts'

const tokens = makeTokens(secrets)

/** Signs claims as the product would. */
export const signToken = (claims: Claims): Promise<string> => tokens.sign(claims)
export const xsrfOf = (sessionId: string): string => tokens.xsrf(sessionId)
/** The secret of the one-time setup link of an empty installation. */
export const setUpToken = (): string =>
  createHmac('sha256', secrets.deriveKey('set-up')).update(INSTALL_ID).digest('base64url')
export const readClaims = (token: string | null): Claims => Claims.parse(decodeJwt(token ?? ''))
export const sessionIdOf = ({ token }: Caller): string => readClaims(token).sid

/** A copy of the caller's session, without the cost of a password check. */
export async function forkSession({ app, owner }: TestApp, caller: Caller): Promise<Caller> {
  const claims = readClaims(caller.token)
  const id = randomUUID()
  await owner.query(
    `insert into iam.sessions select copy.*
    from iam.sessions s, jsonb_populate_record(s, jsonb_build_object('id', $1::text)) copy where s.id = $2`,
    [id, claims.sid],
  )
  return makeCaller(app, await signToken({ ...claims, sid: id }))
}

/** Changes columns of a session row directly, for instance `rotated_at = rotated_at - interval '31 s'`. */
export async function alterSession({ owner }: TestApp, id: string, change: string): Promise<void> {
  const { rowCount } = await owner.query(`update iam.sessions set ${change} where id = $1`, [id])
  if (rowCount !== 1) throw new Error(`There is no session ${id}.`)
}

export type StoredSession = {
  generation: number
  revoked: boolean
  revoke_reason: string | null
  idle_seconds: number
}

export async function readStored({ owner }: TestApp, id: string): Promise<StoredSession> {
  const { rows } = await owner.query<StoredSession>(
    `select generation, revoked_at is not null as revoked, revoke_reason,
      extract(epoch from app_now() - last_active_at)::int as idle_seconds from iam.sessions where id = $1`,
    [id],
  )
  const [row] = rows
  if (row === undefined) throw new Error(`There is no session ${id}.`)
  return row
}

/** A browser: it signed in as our web client, so its session is bound to its cookie. */
export type Browser = {
  caller: Caller
  token: string
  sessionId: string
  cookie: string
  xsrf: string
  setCookies: string[]
}

export async function openBrowser(
  { app, anonymous }: TestApp,
  userName: string,
  { isRemember = false }: { isRemember?: boolean } = {},
): Promise<Browser> {
  const answer = await anonymous.send({
    method: 'POST',
    url: '/api/auth',
    payload: { username: userName, password: DEMO_PASSWORD, isRemember },
    headers: { 'x-forecourt-client': 'web' },
  })
  const token = accessTokenOf(answer.text)
  const cookie = answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const xsrf = answer.cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
  const setCookies = [answer.headers['set-cookie']].flat().map(String)
  return { caller: makeCaller(app, token), token, sessionId: readClaims(token).sid, cookie, xsrf, setCookies }
}

/** The token in the response text of a token call. */
export function accessTokenOf(text: string): string {
  const answer: unknown = JSON.parse(text)
  const data = typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : null
  if (typeof data === 'object' && data !== null && 'accessToken' in data) return String(data.accessToken)
  throw new Error(`There is no token in ${text}`)
}
