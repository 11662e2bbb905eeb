import { afterEach, expect, test, vi } from 'vitest'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { connectClient } from './client.ts'
import { keyOf, queryClient } from './query.ts'
import { upload } from './upload.ts'

afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

/** Answers every request with this status and body. */
function answerWith(status: number, body: object): void {
  class Request extends EventTarget {
    status = status
    responseText = JSON.stringify(body)
    upload = new EventTarget()
    open() {}
    setRequestHeader() {}
    getResponseHeader = () => null
    send() {
      this.dispatchEvent(new Event('load'))
    }
  }
  vi.stubGlobal('XMLHttpRequest', Request)
}

test('an upload makes stale what it declares to change, and a rejected one nothing', async () => {
  connectClient({ installId: 'i1', bearer: () => 'valid', renew: async () => '', end: () => {} })
  vi.stubGlobal('document', { cookie: '' })
  for (const endpoint of [feedRuns.list, vehicles.list]) queryClient.setQueryData(keyOf(endpoint), {})
  const staleOnes = () =>
    [feedRuns.list, vehicles.list].map((one) => queryClient.getQueryState(keyOf(one))?.isInvalidated)
  const options = { signal: new AbortController().signal, onSent: () => {} }
  // The response isn't what this test is about: any data is accepted.
  const anyData = { ...feedRuns.add, output: vehicles.remove.output }

  answerWith(400, { status: false, data: null, message: 'Choose a file.' })
  await expect(upload(anyData, {}, [], options)).rejects.toThrow('Choose a file.')
  expect(staleOnes()).toEqual([false, false])

  answerWith(200, { status: true, data: null, message: null })
  await upload(anyData, {}, [], options)
  expect(staleOnes()).toEqual([true, false])
})
