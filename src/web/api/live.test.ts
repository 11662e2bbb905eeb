import { environmentManager, onlineManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type JobFailure, jobs } from '#contract/jobs/jobs.ts'
import { connectClient } from './client.ts'
import { live, readAgain } from './live.ts'
import { keyOf, type Query, query, queryClient } from './query.ts'

let requests: number
let answer: () => Response
const stops: (() => void)[] = []
const succeed = () => Response.json({ status: true, data: [], message: null })
const fail = () => Response.json({ status: false, data: null, message: 'It broke.' }, { status: 500 })

beforeEach(() => {
  requests = 0
  answer = succeed
  vi.useFakeTimers()
  vi.stubGlobal('document', { cookie: '', visibilityState: 'visible', hidden: false })
  vi.stubGlobal('fetch', async () => {
    requests += 1
    return answer()
  })
  // Without a window, no interval would run.
  environmentManager.setIsServer(() => false)
  queryClient.mount()
  connectClient({ installId: 'i1', bearer: () => 'held', renew: async () => '', end: () => {} })
})
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  onlineManager.setOnline(true)
  environmentManager.setIsServer(() => true)
  queryClient.unmount()
  queryClient.clear()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const failures = query(jobs.failures, { id: '7' })

/** Shows a query, as a screen does. */
async function show(source: Query<JobFailure[]>) {
  const observer = new QueryObserver(queryClient, source)
  stops.push(observer.subscribe(() => undefined))
  await vi.advanceTimersByTimeAsync(0)
}
async function requestsWithin(seconds: number) {
  const before = requests
  await vi.advanceTimersByTimeAsync(seconds * 1_000)
  return requests - before
}

test('a queue is read every ten seconds', async () => {
  await show(live(failures, 'queue'))
  expect(await requestsWithin(9)).toBe(0)
  expect(await requestsWithin(21)).toBe(3)
})

test('what runs is read every three seconds until it ends', async () => {
  let isRunning = true
  await show(live(failures, { while: () => isRunning }))
  expect(await requestsWithin(9)).toBe(3)
  isRunning = false
  expect(await requestsWithin(3)).toBe(1)
  expect(await requestsWithin(30)).toBe(0)
})

test('another interval can be set', async () => {
  await show(live(failures, { ms: 30_000 }))
  expect(await requestsWithin(60)).toBe(2)
})

test('nothing is read while the tab is hidden', async () => {
  await show(live(failures, 'queue'))
  vi.stubGlobal('document', { cookie: '', visibilityState: 'hidden', hidden: true })
  expect(await requestsWithin(60)).toBe(0)
})

test('nothing is read without a connection, and again at once when it is back', async () => {
  await show(live(failures, 'queue'))
  onlineManager.setOnline(false)
  await requestsWithin(10)
  expect(await requestsWithin(60)).toBe(0)
  onlineManager.setOnline(true)
  expect(await requestsWithin(1)).toBe(1)
  expect(await requestsWithin(10)).toBe(1)
})

test('after failures the wait doubles up to a minute, and the first success ends it', async () => {
  await show(live(failures, 'queue'))
  answer = fail
  expect(await requestsWithin(10)).toBe(1)
  // 10, 20 and 40 seconds after the first failure, then each minute.
  expect(await requestsWithin(70)).toBe(3)
  expect(await requestsWithin(120)).toBe(2)
  answer = succeed
  expect(await requestsWithin(60)).toBe(1)
  expect(await requestsWithin(30)).toBe(3)
})

test('a screen that never loaded is tried less often too', async () => {
  answer = fail
  await show(live(failures, 'queue'))
  expect(queryClient.getQueryState([...keyOf(jobs.failures), { id: '7' }])?.status).toBe('error')
  // 10, 20 and 30 seconds after the failure before it.
  expect(await requestsWithin(60)).toBe(3)
})

/** Reads the rows again, and counts what is requested within a time. */
async function rowsWithin(seconds: number) {
  const before = requests
  readAgain(jobs.failures, 10_000)
  await requestsWithin(seconds)
  return requests - before
}

test('rows that are shown are read again, but not while hidden or offline', async () => {
  await show(failures)
  expect(await rowsWithin(1)).toBe(1)
  onlineManager.setOnline(false)
  expect(await rowsWithin(1)).toBe(0)
  onlineManager.setOnline(true)
  await requestsWithin(1)
  vi.stubGlobal('document', { cookie: '', hidden: true })
  expect(await rowsWithin(1)).toBe(0)
})

test('rows that could not be read are tried less and less often', async () => {
  await show(failures)
  await requestsWithin(20)
  answer = fail
  const attempts: number[] = []
  for (let tick = 1; tick <= 8; tick += 1) {
    if ((await rowsWithin(10)) > 0) attempts.push(tick)
  }
  // The first failed 20 seconds after the last success, the second 20 seconds later, the third after 40 more.
  expect(attempts).toEqual([1, 3, 7])
})
