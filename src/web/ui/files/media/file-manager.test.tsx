import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectClient } from '#web/api/client.ts'
import { createDirectory, fetchBlob, remove, rename } from './file-manager.ts'

const shown = vi.hoisted(() => vi.fn<(failure: { message: string }) => void>())
vi.mock('#web/ui/overlay/dialogs.tsx', () => ({ showError: shown }))

let status: number
beforeEach(() => {
  shown.mockClear()
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('fetch', async () => {
    if (status === 0) throw new TypeError('Failed to fetch')
    return Response.json({ status: false, data: null, message: 'That is not possible.' }, { status })
  })
  connectClient({ installId: 'i1', bearer: () => 'held', renew: async () => '', end: () => {} })
})
afterEach(() => vi.unstubAllGlobals())

test.for([400, 403, 409, 500])(
  'what is refused with %i shows the sentence of the server in a dialog and answers false',
  async (refused) => {
    status = refused
    const answers = [await createDirectory('', 'a'), await rename('a.txt', 'b.txt'), await remove(['a.txt'])]
    expect(answers).toEqual([false, false, false])
    expect(shown.mock.calls.map(([{ message }]) => message)).toEqual(Array(3).fill('That is not possible.'))
  },
)

test('a server that cannot be reached shows a dialog and answers false, too', async () => {
  status = 0
  expect(await createDirectory('', 'a')).toBe(false)
  expect(shown.mock.calls.map(([{ message }]) => message)).toEqual([
    'Forecourt cannot be reached. Check the connection.',
  ])
})

test.for([0, 404, 500])('a download that fails with %i answers null', async (failed) => {
  status = failed
  expect(await fetchBlob('a.png', new AbortController().signal)).toBeNull()
  expect(shown).not.toHaveBeenCalled()
})
