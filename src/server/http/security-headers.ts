import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

/** What differs between the back office and the public sites. */
export type HeaderPolicy = Readonly<{
  /** Directives of the content security policy, besides those that every page has. */
  content: Readonly<Record<string, string[]>>
  referrer: 'no-referrer' | 'same-origin' | 'strict-origin-when-cross-origin'
  /** Of the permissions policy. */
  permissions: string
}>

/**
 * The back office. Scripts come from our own origin only. Inline styles are allowed because the component library sets element
 * styles (docs/decisions/0006) and styles cannot run code.
 */
export const OFFICE_HEADERS: HeaderPolicy = {
  content: {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    // blob: images that require sign-in are fetched with the bearer token.
    imgSrc: ["'self'", 'data:', 'blob:', 'https:'],
    fontSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
  referrer: 'same-origin',
  permissions: 'camera=(), geolocation=(), microphone=(), payment=()',
}

/**
 * Pages that a secret link opens: they load nothing from other origins, not even pictures, and tell no one where they are.
 */
export const LINK_PAGE_HEADERS: HeaderPolicy = {
  content: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
  referrer: 'no-referrer',
  permissions: 'camera=(), geolocation=(), microphone=(), payment=()',
}

/** Security headers on every response of an application. */
export async function installSecurityHeaders(
  app: FastifyInstance,
  { isHttps, policy }: { isHttps: boolean; policy: HeaderPolicy },
): Promise<void> {
  await app.register(helmet, {
    ...policyOptions({ isHttps, policy }),
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    frameguard: { action: 'deny' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
  })
  app.addHook('onSend', async (request, reply) => {
    if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control'))
      void reply.header('cache-control', 'no-store')
    void reply.header('permissions-policy', policy.permissions)
    void reply.header('x-request-id', request.id)
  })
}

/** The part of the headers that differs between pages, as `reply.helmet` takes it. */
export function policyOptions({ isHttps, policy }: { isHttps: boolean; policy: HeaderPolicy }) {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { ...policy.content, ...(isHttps && { upgradeInsecureRequests: [] }) },
    },
    referrerPolicy: { policy: policy.referrer },
  }
}
