import { afterEach, expect, test, vi } from 'vitest'

// Another test file may have loaded these modules before, with real notices, which need a document.
vi.resetModules()
const toast = vi.hoisted(() => vi.fn())
vi.mock('#web/ui/feedback/toast.tsx', () => ({ toast }))
const { CallFailure } = await import('#web/api/failure.ts')
const { queryClient } = await import('#web/api/query.ts')
const { askToRemove } = await import('./ask-to-remove.ts')

const lot = { id: '1', version: 1, updatedAt: '2026-11-18T15:00:00Z', updatedBy: 'Dana Whitfield' }
const missing = () =>
  Promise.reject(new CallFailure({ kind: 'refused', status: 404, message: 'Lot not found.' }))
const removal = {
  shown: lot,
  thing: 'this lot',
  question: { title: 'Delete Elm Street?', text: '', confirm: 'Delete lot' },
  isQuiet: true,
}
afterEach(() => toast.mockClear())

test.each([
  ['before it was read', { read: missing, run: () => Promise.resolve(null) }],
  ['after it was read', { read: () => Promise.resolve(lot), run: missing }],
])('what someone else deleted %s is said to be gone, and everything is read again', async (_when, calls) => {
  const reread = vi.spyOn(queryClient, 'invalidateQueries')
  const onRefused = vi.fn()
  expect(await askToRemove({ ...removal, ...calls, onRefused })).toBe('gone')
  expect(toast.mock.calls).toEqual([
    ['This lot was already deleted', expect.stringContaining('Someone else')],
  ])
  expect(onRefused).not.toHaveBeenCalled()
  expect(reread).toHaveBeenCalled()
  reread.mockRestore()
})
