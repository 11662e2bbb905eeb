import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { kyselyOver } from '#server/database/tenant-transaction.ts'
import { Failure } from '#server/http/failure.ts'
import { executeFiltered } from './read-list.ts'

const dana = { effectiveCustomerId: '1', effectiveUserId: '7' }
const slow = kyselyOver(() =>
  Promise.reject(Object.assign(new Error('canceling statement'), { code: '57014' })),
)
const query = sql`select 1`.compile(slow)

test.for([
  [{ filter: 'price > cost' }, 'filter'],
  [{ search: 'ford' }, 'search'],
] as const)('a list that times out with %o names the field that filters it', async ([narrowing, field]) => {
  const failure = await executeFiltered(slow, dana, narrowing, query, {}).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Failure)
  expect(failure).toMatchObject({
    status: 400,
    fields: { [field]: expect.stringMatching(/^This takes too long/) },
  })
})

test("an unfiltered list that times out is not the caller's fault", async () => {
  await expect(executeFiltered(slow, dana, {}, query, {})).rejects.toThrow('canceling statement')
})
