import { afterEach, beforeEach, expect, test, vi } from 'vitest'

// Another test file may have loaded these modules before, without the replaced dialog.
vi.resetModules()
const { connectClient } = await import('#web/api/client.ts')
const { fetchBlob, remove } = await import('./file-manager.ts')

const shown = vi.hoisted(() => vi.fn<(failure: { message: string }) => void>())
vi.mock('#web/ui/overlay/dialogs.tsx', () => ({ showError: shown }))

let status: number
beforeEach(() => {
  shown.mockClear()
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('fetch', async () => {
    if (status === 0) throw new TypeError('Failed to fetch')
    return Response.json({ status: false, data: null, message: "This isn't possible." }, { status })
  })
  connectClient({ installId: 'i1', bearer: () => 'held', renew: async () => '', end: () => {} })
})
afterEach(() => vi.unstubAllGlobals())

test.for([400, 403, 409, 500])(
  "an error %i shows the server's message in a dialog and returns false",
  async (refused) => {
    status = refused
    expect(await remove(['a.txt'])).toBe(false)
    expect(shown.mock.calls.map(([{ message }]) => message)).toEqual(["This isn't possible."])
  },
)

test('an unreachable server shows a dialog and returns false', async () => {
  status = 0
  expect(await remove(['a.txt'])).toBe(false)
  expect(shown.mock.calls.map(([{ message }]) => message)).toEqual([
    "Can't reach Forecourt. Check your connection and try again. If you change nothing, it is done only once.",
  ])
})

test.for([0, 404, 500])('a download that fails with %i returns null', async (failed) => {
  status = failed
  expect(await fetchBlob('a.png', new AbortController().signal)).toBeNull()
  expect(shown).not.toHaveBeenCalled()
})
