import { createServer } from 'node:http'
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { clock } from '#server/clock.ts'

export const CLIENT_ID = 'forecourt-test.apps.example'

/** In place of the usual ones; what is undefined is left out. */
export type OtherClaims = Readonly<Record<string, unknown>>

/** An OpenID provider on this machine: keys, a page that signs in, and tokens as a test wants them. */
export type FakeGoogleServer = {
  /** What the product is told of it. */
  environment: Record<string, string>
  /** Whom its page signs in; null: the person says no there. */
  person: { email: string } | null
  /** How often its keys were asked for. */
  asked: () => number
  token: (nonce: string, claims?: OtherClaims) => Promise<string>
  /** Signed by a key it never published. */
  stranger: (nonce: string) => Promise<string>
  unsigned: (nonce: string) => string
  /** HS256, with the public key taken for the shared one. */
  confused: (nonce: string) => Promise<string>
  close: () => Promise<void>
}

const KEY_ID = 'twin-1'

export async function startFakeGoogleServer(): Promise<FakeGoogleServer> {
  const [own, other] = await Promise.all([
    generateKeyPair('RS256', { extractable: true }),
    generateKeyPair('RS256'),
  ])
  const keys = { keys: [{ ...(await exportJWK(own.publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' }] }
  let asked = 0
  let issuer = ''

  const claimsOf = (nonce: string, claims: OtherClaims = {}): JWTPayload => {
    const now = Math.floor(clock.now() / 1000)
    const usual = { iss: issuer, aud: CLIENT_ID, sub: '1', iat: now, exp: now + 300, nonce }
    const all = { ...usual, email: 'luis.ortega@northgate.example', email_verified: true, hd: 'x', ...claims }
    const payload: JWTPayload = JSON.parse(JSON.stringify(all))
    return payload
  }
  const sign = (payload: JWTPayload, key: CryptoKey) =>
    new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: KEY_ID }).sign(key)

  const twin: FakeGoogleServer = {
    environment: {},
    person: { email: 'luis.ortega@northgate.example' },
    asked: () => asked,
    token: (nonce, claims) => sign(claimsOf(nonce, claims), own.privateKey),
    stranger: (nonce) => sign(claimsOf(nonce), other.privateKey),
    unsigned: (nonce) => new UnsecuredJWT(claimsOf(nonce)).encode(),
    async confused(nonce) {
      const secret = new TextEncoder().encode(await exportSPKI(own.publicKey))
      return new SignJWT(claimsOf(nonce)).setProtectedHeader({ alg: 'HS256', kid: KEY_ID }).sign(secret)
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', issuer)
    if (url.pathname === '/keys') {
      asked += 1
      response.setHeader('content-type', 'application/json').end(JSON.stringify(keys))
      return
    }
    void answerPage(url).then((location) => response.writeHead(302, { location }).end())
  })

  async function answerPage({ searchParams }: URL): Promise<string> {
    const answer = new URLSearchParams({ state: searchParams.get('state') ?? '' })
    if (twin.person === null) answer.set('error', 'access_denied')
    else answer.set('id_token', await twin.token(searchParams.get('nonce') ?? '', twin.person))
    return `${searchParams.get('redirect_uri')}#${answer.toString()}`
  }

  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
  const address = server.address()
  issuer = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  twin.environment = {
    FORECOURT_GOOGLE_CLIENT_ID: CLIENT_ID,
    FORECOURT_GOOGLE_ISSUER: issuer,
    FORECOURT_GOOGLE_KEYS_URL: `${issuer}/keys`,
    FORECOURT_GOOGLE_SIGN_IN_URL: `${issuer}/sign-in`,
  }
  return twin
}
