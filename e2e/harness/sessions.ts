import type { BrowserContext } from 'playwright-core'
import { z } from 'zod'
import { auth } from '#contract/identity/auth.ts'
import { CLIENT_HEADER, Token } from '#contract/identity/sessions/session.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { DEMO_PASSWORD } from '../../demo/world.ts'

/** The browser state of a session: cookies and local storage. */
export type StoredSession = Exclude<Parameters<BrowserContext['setStorageState']>[0], string>

/** A user agent that the product recognizes as Chrome on Linux. */
const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

const Answered = z.object({ data: z.unknown(), message: z.string().nullable() })
const Choices = z.array(z.object({ id: z.string(), name: z.string() }))

/**
 * Signs a demo user in through the API, in the given organization if any. `now`: the browser's clock, in
 * milliseconds. Users with a second factor stop before it.
 */
export async function createSession(
  address: string,
  { userName, organization, now }: { userName: string; organization: string | null; now: number },
): Promise<StoredSession> {
  const cookies = new Map<string, string>()
  let token: Token | null = null
  const send = async (method: string, path: string, body: object | null) => {
    const response = await fetch(address + path, {
      method,
      headers: {
        'content-type': 'application/json',
        [CLIENT_HEADER]: 'web',
        'user-agent': BROWSER,
        cookie: [...cookies].map(([name, line]) => `${name}=${valueOf(line)}`).join('; '),
        ...(token && { authorization: `Bearer ${token.accessToken}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    for (const line of response.headers.getSetCookie()) cookies.set(line.slice(0, line.indexOf('=')), line)
    const { data, message } = Answered.parse(await response.json())
    if (!response.ok) throw new Error(`${userName} could not sign in: ${message}`)
    return data
  }
  token = Token.parse(
    await send(auth.signIn.method, auth.signIn.path, { username: userName, password: DEMO_PASSWORD }),
  )
  if (organization !== null) {
    const choices = Choices.parse(await send(organizations.change.method, organizations.change.path, null))
    const organizationId = choices.find(({ name }) => name === organization)?.id
    if (organizationId === undefined) throw new Error(`${userName} has no organization ${organization}.`)
    const { method, path } = auth.changeOrganization
    token = Token.parse(await send(method, path, { organizationId }))
  }
  const { hostname } = new URL(address)
  return {
    cookies: [...cookies].map(([name, line]) => cookieOf(name, line, hostname)),
    origins: [
      {
        origin: address,
        localStorage: [{ name: 'token', value: JSON.stringify({ ...token, storedAt: now }) }],
      },
    ],
  }
}

/** Cookies belong to the host, storage to the address with its port. */
export function moveSession(session: StoredSession, address: string): StoredSession {
  return { ...session, origins: session.origins?.map((one) => ({ ...one, origin: address })) ?? [] }
}

const valueOf = (line: string): string => line.slice(line.indexOf('=') + 1).split(';')[0] ?? ''

function cookieOf(name: string, line: string, domain: string) {
  const attributes = line.split(';').map((part) => part.trim().toLowerCase())
  const path = attributes.find((part) => part.startsWith('path='))?.slice(5) ?? '/'
  return {
    name,
    value: valueOf(line),
    domain,
    path,
    expires: -1,
    httpOnly: attributes.includes('httponly'),
    secure: attributes.includes('secure'),
    sameSite: attributes.includes('samesite=strict') ? ('Strict' as const) : ('Lax' as const),
  }
}
