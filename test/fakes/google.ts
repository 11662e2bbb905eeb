import { createServer } from 'node:http'
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { clock } from '#server/clock.ts'

export const CLIENT_ID = 'forecourt-test.apps.example'

/** Claims to override. Undefined ones are omitted. */
export type OtherClaims = Readonly<Record<string, unknown>>

/** A local OpenID provider with keys, a sign-in page, and configurable tokens. */
export type FakeGoogleServer = {
  /** The product's settings for this provider. */
  environment: Record<string, string>
  /** The user its page signs in. Null: the user declines. */
  person: { email: string } | null
  /** How often its keys were requested. */
  keyRequests: () => number
  token: (nonce: string, claims?: OtherClaims) => Promise<string>
  /** A token signed with an unpublished key. */
  withUnknownKey: (nonce: string) => Promise<string>
  unsigned: (nonce: string) => string
  /** An HS256 token that uses the public key as the shared secret. */
  signedWithPublicKey: (nonce: string) => Promise<string>
  close: () => Promise<void>
}

const KEY_ID = 'key-1'

export async function startFakeGoogleServer(): Promise<FakeGoogleServer> {
  const [own, other] = await Promise.all([
    generateKeyPair('RS256', { extractable: true }),
    generateKeyPair('RS256'),
  ])
  const keys = { keys: [{ ...(await exportJWK(own.publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' }] }
  let keyRequests = 0
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

  const provider: FakeGoogleServer = {
    environment: {},
    person: { email: 'luis.ortega@northgate.example' },
    keyRequests: () => keyRequests,
    token: (nonce, claims) => sign(claimsOf(nonce, claims), own.privateKey),
    withUnknownKey: (nonce) => sign(claimsOf(nonce), other.privateKey),
    unsigned: (nonce) => new UnsecuredJWT(claimsOf(nonce)).encode(),
    async signedWithPublicKey(nonce) {
      const secret = new TextEncoder().encode(await exportSPKI(own.publicKey))
      return new SignJWT(claimsOf(nonce)).setProtectedHeader({ alg: 'HS256', kid: KEY_ID }).sign(secret)
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', issuer)
    if (url.pathname === '/keys') {
      keyRequests += 1
      response.setHeader('content-type', 'application/json').end(JSON.stringify(keys))
      return
    }
    void answerPage(url).then((location) => response.writeHead(302, { location }).end())
  })

  async function answerPage({ searchParams }: URL): Promise<string> {
    const answer = new URLSearchParams({ state: searchParams.get('state') ?? '' })
    if (provider.person === null) answer.set('error', 'access_denied')
    else answer.set('id_token', await provider.token(searchParams.get('nonce') ?? '', provider.person))
    return `${searchParams.get('redirect_uri')}#${answer.toString()}`
  }

  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
  const address = server.address()
  issuer = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  provider.environment = {
    FORECOURT_GOOGLE_CLIENT_ID: CLIENT_ID,
    FORECOURT_GOOGLE_ISSUER: issuer,
    FORECOURT_GOOGLE_KEYS_URL: `${issuer}/keys`,
    FORECOURT_GOOGLE_SIGN_IN_URL: `${issuer}/sign-in`,
  }
  return provider
}
