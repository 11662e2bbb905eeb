import {
  PostgresAdapter,
  PostgresQueryCompiler,
  Kysely,
  sql,
  DummyDriver,
  PostgresIntrospector,
} from 'kysely'
import { expect, test } from 'vitest'
import type { Member } from '#server/http/actor.ts'
import { keepStatements } from './kept-statements.ts'

const db = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (of) => new PostgresIntrospector(of),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

function memberOf(customerId: string): Member {
  return {
    sessionId: 's',
    isVerified: true,
    userId: '1',
    userName: 'one',
    fullName: 'One',
    userCustomerId: customerId,
    effectiveUserId: '1',
    effectiveUserName: 'one',
    effectiveFullName: 'One',
    effectiveCustomerId: customerId,
    userTypeId: '1',
    customerId,
    organizationId: '7',
    organizationName: 'Seven',
    timeZone: 'UTC',
    reach: 'organization',
    isPlatformStaff: false,
    impersonation: null,
    permissions: { isSuper: false, permissions: [] },
    permissionsVersion: '0',
    may: () => true,
  }
}

test('a statement is put together once, and each time with the customer and the page of the request', () => {
  const keep = keepStatements()
  let built = 0
  const ask = (customerId: string, offset: number) =>
    keep('shape', { actor: memberOf(customerId), offset }, (actor, before) => {
      built += 1
      return sql`select ${'fixed'} where c = ${actor.customerId} and d = ${actor.customerId} offset ${before}`.compile(
        db,
      )
    })
  expect(ask('2', 50).parameters).toEqual(['fixed', '2', '2', 50])
  expect(ask('3', 100).parameters).toEqual(['fixed', '3', '3', 100])
  expect(built).toBe(1)
})

test('one that knows more of its caller than the customer is refused every time', () => {
  const keep = keepStatements()
  const ask = () =>
    keep('shape', { actor: memberOf('2'), offset: 0 }, (actor) =>
      sql`select where o = ${actor.organizationId}`.compile(db),
    )
  expect(ask).toThrow('knows more than the customer')
  expect(ask).toThrow('knows more than the customer')
})

test('of too many shapes the longest unseen are forgotten', () => {
  const keep = keepStatements()
  const built: string[] = []
  const ask = (shape: string) =>
    keep(shape, { actor: memberOf('2'), offset: 0 }, () => {
      built.push(shape)
      return sql`select 1`.compile(db)
    })
  ask('first')
  for (let n = 0; n < 499; n += 1) ask(`other ${n}`)
  ask('first')
  ask('one more')
  ask('first')
  ask('other 0')
  expect(built.filter((shape) => shape === 'first' || shape === 'other 0')).toEqual([
    'first',
    'other 0',
    'other 0',
  ])
})
