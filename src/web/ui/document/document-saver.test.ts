import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CallFailure } from '#web/api/failure.ts'
import { DocumentSaver } from './document-saver.ts'

type Content = { title: string }
type Page = Content & { version: number; name: string }

const contentOf = (title: string): Content => ({ title })
const stored = (version: number, title: string): Page => ({ version, name: 'Spring', title })

/** A server with one document, whose answers wait until they are released. */
function fakeServer() {
  let current = stored(1, 'First')
  const saves: string[] = []
  const waiting: (() => void)[] = []
  let failure: CallFailure | null = null
  const saver = new DocumentSaver<Page, Content>(current, {
    contentOf: ({ title }) => ({ title }),
    save: (content, version) =>
      new Promise((done, fail) => {
        saves.push(content.title)
        waiting.push(() => {
          if (failure !== null) fail(failure)
          else if (version !== current.version)
            fail(new CallFailure({ kind: 'refused', status: 409, message: 'Stale', current }))
          else {
            current = stored(version + 1, content.title)
            done(current)
          }
        })
      }),
    readCurrent: ({ status }) => (status === 409 ? current : null),
    onSaved: () => undefined,
  })
  return {
    saver,
    saves,
    change: (title: string) => saver.change(contentOf(title)),
    /** Another user saves. */
    interfere: (title: string) => {
      current = stored(current.version + 1, title)
    },
    fail: (with_: CallFailure | null) => {
      failure = with_
    },
    /** Answers the oldest save. */
    answer: async () => {
      waiting.shift()?.()
      await vi.advanceTimersByTimeAsync(0)
    },
    title: () => current.title,
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('keystrokes are saved together after a pause', async () => {
  const { saver, saves, change, answer } = fakeServer()
  change('A')
  await vi.advanceTimersByTimeAsync(1_000)
  change('AB')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(saves).toEqual([])
  await vi.advanceTimersByTimeAsync(500)
  expect(saves).toEqual(['AB'])
  await answer()
  expect(saver.view()).toMatchObject({ state: 'saved', stored: { version: 2 } })
})

test('someone who never pauses is saved every ten seconds', async () => {
  const { saves, change } = fakeServer()
  for (let at = 0; at < 12; at += 1) {
    change(`Text ${at}`)
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(saves).toHaveLength(1)
})

test('what is typed during a save is saved next, over the version that the save made', async () => {
  const { saver, saves, change, answer, title } = fakeServer()
  change('A')
  const flushed = saver.flush()
  await vi.advanceTimersByTimeAsync(0)
  change('B')
  expect(saves).toEqual(['A'])
  await answer()
  await answer()
  expect(await flushed).toBe(true)
  expect(saves).toEqual(['A', 'B'])
  expect(title()).toBe('B')
  expect(saver.view()).toMatchObject({ state: 'saved', stored: { version: 3 } })
})

test("another user's save is a conflict: nothing is sent until it is settled, and typing goes on", async () => {
  const { saver, saves, change, answer, interfere, title } = fakeServer()
  interfere('Theirs')
  change('Mine')
  await vi.advanceTimersByTimeAsync(1_500)
  await answer()
  expect(saver.view()).toMatchObject({ state: 'conflict', theirs: { version: 2 } })
  change('Mine, longer')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(saves).toEqual(['Mine'])
  expect(await saver.flush()).toBe(false)
  saver.resolve('mine')
  await vi.advanceTimersByTimeAsync(0)
  await answer()
  expect(title()).toBe('Mine, longer')
  expect(saver.view()).toMatchObject({ state: 'saved', theirs: null })
})

test("a conflict can be ended with the other user's version", async () => {
  const { saver, change, answer, interfere } = fakeServer()
  interfere('Theirs')
  change('Mine')
  await vi.advanceTimersByTimeAsync(1_500)
  await answer()
  saver.resolve('theirs')
  expect(saver.view()).toMatchObject({ state: 'saved', content: contentOf('Theirs'), stored: { version: 2 } })
})

test('a save whose response was lost is not a conflict with itself', async () => {
  const { saver, change, answer, interfere } = fakeServer()
  change('Mine')
  // The server stored it, and the response never came.
  interfere('Mine')
  await vi.advanceTimersByTimeAsync(1_500)
  await answer()
  expect(saver.view()).toMatchObject({ state: 'saved', stored: { version: 2 }, theirs: null })
})

test('a name that another user changed meanwhile is no conflict', async () => {
  const { saver, saves, change, answer, interfere, title } = fakeServer()
  interfere('First')
  change('Mine')
  const flushed = saver.flush()
  await vi.advanceTimersByTimeAsync(0)
  await answer()
  await answer()
  expect(await flushed).toBe(true)
  expect(saves).toEqual(['Mine', 'Mine'])
  expect(title()).toBe('Mine')
  expect(saver.view()).toMatchObject({ state: 'saved', stored: { version: 3 } })
})

test('without a connection the content stays, and is saved once the server answers', async () => {
  const { saver, saves, change, answer, fail, title } = fakeServer()
  fail(new CallFailure({ kind: 'offline', message: 'No connection.' }))
  change('A')
  await vi.advanceTimersByTimeAsync(1_500)
  await answer()
  expect(saver.view()).toMatchObject({ state: 'failed', message: 'No connection.', content: contentOf('A') })
  fail(null)
  await vi.advanceTimersByTimeAsync(10_000)
  await answer()
  expect(saves).toEqual(['A', 'A'])
  expect(title()).toBe('A')
  expect(saver.isDirty).toBe(false)
})

test('a refused draft is not sent again until it changes', async () => {
  const { saver, saves, change, answer, fail } = fakeServer()
  fail(new CallFailure({ kind: 'refused', status: 400, message: 'Invalid', fields: { draft: 'Too long.' } }))
  change('A')
  await vi.advanceTimersByTimeAsync(1_500)
  await answer()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(saves).toEqual(['A'])
  expect(saver.view()).toMatchObject({ state: 'failed', message: 'Too long.' })
})
