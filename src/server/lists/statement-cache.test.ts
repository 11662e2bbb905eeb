import {
  PostgresAdapter,
  PostgresQueryCompiler,
  Kysely,
  sql,
  DummyDriver,
  PostgresIntrospector,
} from 'kysely'
import { expect, test } from 'vitest'
import { can, Func, Opr, type Permission } from '#contract/permissions.ts'
import type { Member } from '#server/http/actor.ts'
import { makeStatementCache } from './statement-cache.ts'

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

test('compiles a statement once and fills in the customer and page of each request', () => {
  const cached = makeStatementCache()
  let built = 0
  const compileFor = (customerId: string, offset: number) =>
    cached('shape', { actor: memberOf(customerId), offset }, (actor, before) => {
      built += 1
      return sql`select ${'fixed'} where c = ${actor.customerId} and d = ${actor.customerId} offset ${before}`.compile(
        db,
      )
    })
  expect(compileFor('2', 50).parameters).toEqual(['fixed', '2', '2', 50])
  expect(compileFor('3', 100).parameters).toEqual(['fixed', '3', '3', 100])
  expect(built).toBe(1)
})

test('rejects a statement that depends on more of the caller than the customer', () => {
  const cached = makeStatementCache()
  const compileFor = () =>
    cached('shape', { actor: memberOf('2'), offset: 0 }, (actor) =>
      sql`select where o = ${actor.organizationId}`.compile(db),
    )
  expect(compileFor).toThrow('depends on more than the customer')
  expect(compileFor).toThrow('depends on more than the customer')
})

test('evicts the least recently used statements', () => {
  const cached = makeStatementCache()
  const built: string[] = []
  const compileFor = (shape: string) =>
    cached(shape, { actor: memberOf('2'), offset: 0 }, () => {
      built.push(shape)
      return sql`select 1`.compile(db)
    })
  compileFor('first')
  for (let n = 0; n < 499; n += 1) compileFor(`other ${n}`)
  compileFor('first')
  compileFor('one more')
  compileFor('first')
  compileFor('other 0')
  expect(built.filter((shape) => shape === 'first' || shape === 'other 0')).toEqual([
    'first',
    'other 0',
    'other 0',
  ])
})

test('never uses the statement of a user with other permissions', () => {
  const cached = makeStatementCache()
  let built = 0
  const costs = can(Func.vehicleCost, Opr.list)
  const columnFor = (seesCosts: boolean) => {
    const actor = { ...memberOf('2'), may: ({ func }: Permission) => func !== costs.func || seesCosts }
    const query = cached('shape', { actor, offset: 0 }, (by) => {
      built += 1
      return sql`select ${by.may(costs) ? sql.ref('cost') : sql`null`} where ${by.may(costs)}`.compile(db)
    })
    return query.sql
  }
  const shown = columnFor(true)
  const hidden = columnFor(false)
  expect(hidden).not.toBe(shown)
  expect([columnFor(false), columnFor(true), columnFor(false)]).toEqual([hidden, shown, hidden])
  expect(built).toBe(2)
})
