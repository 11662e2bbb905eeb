import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { dashboard } from '#contract/home/dashboard.ts'
import { users } from '#contract/identity/users/users.ts'
import { connectClient } from './client.ts'
import { keyOf, listPage, queryClient, send } from './query.ts'

let sent: string[]
beforeEach(() => {
  sent = []
  vi.useFakeTimers()
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('fetch', async (url: string) => {
    sent.push(url)
    return Response.json({
      status: true,
      data: { filteredRows: 412, totalRows: 900, results: [] },
      message: null,
    })
  })
  connectClient({ installId: 'i1', bearer: () => 'held', renew: async () => '', end: () => {} })
})
afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const read = (input: { page?: number; search?: string; sort?: string }) =>
  queryClient.fetchQuery({ ...listPage(lots.list, input), staleTime: 0 })
const countedIn = () => sent.map((url) => new URL(url, 'http://localhost').searchParams.get('counted'))

test('another page or order of a narrowed list reuses its count', async () => {
  await read({ search: 'elm' })
  await read({ search: 'elm', page: 2 })
  await read({ search: 'elm', sort: '-name' })
  expect(countedIn()).toEqual([null, '412', '412'])
})

test('it is requested again when the search or filter changes, on reload, after a change, or after half a minute', async () => {
  await read({ search: 'elm' })
  await read({ search: 'oak' })
  await read({ search: 'elm' })
  await queryClient.invalidateQueries({ queryKey: keyOf(lots.list) })
  await read({ search: 'elm', page: 2 })
  vi.advanceTimersByTime(30_000)
  await read({ search: 'elm', page: 3 })
  expect(countedIn()).toEqual([null, null, null, null, null])
})

test('the count of an unfiltered list is free, so it is always requested', async () => {
  await read({})
  await read({ page: 2 })
  expect(countedIn()).toEqual([null, null])
})

test('a write makes stale what it declares to change, for every input, and nothing else', async () => {
  const all = [[...keyOf(lots.list), { page: 2 }], keyOf(dashboard.get), keyOf(users.list)]
  const staleOnes = () => all.map((key) => queryClient.getQueryState(key)?.isInvalidated)
  const answer = (body: object, status: number) =>
    vi.stubGlobal('fetch', async () => Response.json({ message: null, ...body }, { status }))
  for (const key of all) queryClient.setQueryData(key, {})

  answer({ status: false, data: null, message: '1 vehicle is on this lot. Move it first.' }, 409)
  await expect(send(lots.remove)({ id: '1' })).rejects.toThrow('1 vehicle is on this lot.')
  expect(staleOnes()).toEqual([false, false, false])

  answer({ status: true, data: null }, 200)
  await send(lots.remove)({ id: '1' })
  expect(staleOnes()).toEqual([true, true, false])
})
