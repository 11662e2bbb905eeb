import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CLIENT_HEADER, XSRF_COOKIE, XSRF_HEADER } from '#contract/identity/sessions/session.ts'
import type { Visit } from './actor.ts'
import { isFromOperator } from './metrics.ts'

/**
 * Reads the caller's details from a request, and sets cookies: two for the session, one for a trusted device and one for a
 * known browser. Their names end in the install ID, because cookies ignore ports: two installations on one host would
 * overwrite each other's. The XSRF cookie is also sent under its plain name, for clients that only know Angular's names.
 */
export function makeVisits({
  installId,
  isSecure,
  operatorToken = null,
}: {
  installId: string
  isSecure: boolean
  operatorToken?: string | null
}) {
  const deviceCookie = `forecourt-device-${installId}`
  const browserCookie = `forecourt-browser-${installId}`
  const sessionCookie = `forecourt-session-${installId}`
  const xsrfCookies = [XSRF_COOKIE, `${XSRF_COOKIE}-${installId}`]
  const hidden: CookieSerializeOptions = {
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure,
    path: '/api',
  }
  const readable: CookieSerializeOptions = { sameSite: 'strict', secure: isSecure, path: '/' }

  return (request: FastifyRequest, reply: FastifyReply): Visit => ({
    host: hostOf(request),
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    isWebClient: request.headers[CLIENT_HEADER.toLowerCase()] === 'web',
    isOperator: isFromOperator(request, operatorToken),
    bearer: bearerOf(request.headers.authorization),
    cookie: request.cookies[sessionCookie] ?? null,
    device: request.cookies[deviceCookie] ?? null,
    browser: request.cookies[browserCookie] ?? null,
    xsrf: headerText(request.headers[XSRF_HEADER.toLowerCase()]),
    setSessionCookies({ secret, xsrf, seconds }) {
      const life = seconds === null ? {} : { maxAge: seconds }
      void reply.setCookie(sessionCookie, secret, { ...hidden, ...life })
      for (const name of xsrfCookies) void reply.setCookie(name, xsrf, { ...readable, ...life })
    },
    clearSessionCookies() {
      void reply.clearCookie(sessionCookie, hidden)
      for (const name of xsrfCookies) void reply.clearCookie(name, readable)
    },
    setDeviceCookie(secret, seconds) {
      void reply.setCookie(deviceCookie, secret, { ...hidden, maxAge: seconds })
    },
    setBrowserCookie(secret, seconds) {
      void reply.setCookie(browserCookie, secret, { ...hidden, maxAge: seconds })
    },
  })
}

/**
 * The host name from the browser's address, without the port and without the dot that ends a complete name. If proxies are
 * trusted, Fastify reads it from their header.
 */
export function hostOf(request: FastifyRequest): string {
  return request.hostname.toLowerCase().replace(/\.$/, '')
}

function bearerOf(header: string | undefined): string | null {
  const [, token] = /^Bearer +(\S+) *$/i.exec(header ?? '') ?? []
  return token ?? null
}

function headerText(value: string | string[] | undefined): string | null {
  return typeof value === 'string' ? value : null
}
