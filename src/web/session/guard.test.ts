import { describe, expect, test } from 'vitest'
import { afterSignIn, guard, guardVerifying, readNext, signInFor } from './guard.ts'
import { hasOrganization, isAuthenticated, isExpired, isVerified, readClaims } from './token.ts'
import { makeToken } from './token.fixture.ts'

const now = 1_000_000
const live = { exp: now / 1000 + 60 }

describe('a token', () => {
  test('must have three parts', () => {
    const message = 'This does not look like a token: it must have three parts.'
    expect(() => readClaims('one.two')).toThrow(message)
    for (const text of ['a.b.c.d', 'a.b.c', 'a.eyJ.c', 'a.W10.c', '..']) {
      expect(() => isExpired(text, now)).toThrow(message)
    }
  })

  test('counts as expired if it is empty, without throwing', () => {
    expect(isExpired('', now)).toBe(true)
    expect([isAuthenticated('', now), isVerified('', now), hasOrganization('', now)]).toEqual([
      false,
      false,
      false,
    ])
  })

  test('supports names in any script', () => {
    expect(readClaims(makeToken({ userName: 'Zoë Łukasz 東' })).userName).toBe('Zoë Łukasz 東')
  })

  test('is expired at exactly its `exp`', () => {
    expect(isExpired(makeToken({ exp: now / 1000 }), now)).toBe(true)
    expect(isExpired(makeToken(live), now)).toBe(false)
  })

  test('has an organization only with both ID and name', () => {
    expect(hasOrganization(makeToken(live), now)).toBe(true)
    expect(hasOrganization(makeToken({ ...live, organizationId: '0' }), now)).toBe(false)
    expect(hasOrganization(makeToken({ ...live, organizationName: '' }), now)).toBe(false)
  })
})

describe('the guard', () => {
  const path = '/customers/lots?page=2'
  const signIn = '/auth/signin?next=%2Fcustomers%2Flots%3Fpage%3D2'

  test('allows a member', () => {
    expect(guard({ accessToken: makeToken(live), now, path })).toEqual({ allow: true, redirect: null })
  })

  test('allows users without an organization and redirects them to choose one', () => {
    const accessToken = makeToken({ ...live, organizationId: '0', organizationName: '' })
    expect(guard({ accessToken, now, path })).toEqual({
      allow: true,
      redirect: '/auth/organization?next=%2Fcustomers%2Flots%3Fpage%3D2',
    })
    expect(guard({ accessToken, now, path: '/dashboard' }).redirect).toBe('/auth/organization')
  })

  test('blocks everyone else and remembers the requested page', () => {
    const blocked = { allow: false, redirect: signIn }
    expect(guard({ accessToken: '', now, path })).toEqual(blocked)
    expect(guard({ accessToken: makeToken({ exp: 1 }), now, path })).toEqual(blocked)
    expect(guard({ accessToken: makeToken({ ...live, isVerified: 'false' }), now, path })).toEqual(blocked)
  })
})

test('next accepts only paths of our own shell', () => {
  expect(readNext('/customers/lots')).toBe('/customers/lots')
  for (const elsewhere of [
    undefined,
    '',
    '/',
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/auth/signin',
  ])
    expect(readNext(elsewhere)).toBeNull()
  expect(signInFor('/dashboard')).toBe('/auth/signin')
})

const verified = { isVerified: 'true', organizationId: '7' } as const

test('signing in goes to next, after the choice of an organization if there is one', () => {
  expect(afterSignIn(verified, '/customers/lots')).toBe('/customers/lots')
  expect(afterSignIn(verified, undefined)).toBe('/')
  expect(afterSignIn({ ...verified, organizationId: '0' }, '/customers/lots')).toBe(
    '/auth/organization?next=%2Fcustomers%2Flots',
  )
})

test('signing in goes to the second factor first and keeps next', () => {
  const waiting = { isVerified: 'false', organizationId: '0' } as const
  expect(afterSignIn(waiting, undefined)).toBe('/auth/verify-login')
  expect(afterSignIn(waiting, '/customers/lots')).toBe('/auth/verify-login?next=%2Fcustomers%2Flots')
  expect(afterSignIn(waiting, '//evil.example')).toBe('/auth/verify-login')
})

test('the second factor page is only for sessions that wait for it', () => {
  const next = '/customers/lots'
  const waiting = makeToken({ ...live, isVerified: 'false', organizationId: '0' })
  expect(guardVerifying({ accessToken: waiting, now, next })).toBeNull()
  expect(guardVerifying({ accessToken: '', now, next })).toBe('/auth/signin')
  expect(guardVerifying({ accessToken: makeToken({ exp: 1, isVerified: 'false' }), now, next })).toBe(
    '/auth/signin',
  )
  expect(guardVerifying({ accessToken: makeToken(live), now, next })).toBe(next)
})
