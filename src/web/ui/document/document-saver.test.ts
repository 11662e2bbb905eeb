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

type Texts = { version: number; texts: Record<string, string> }

/** A saver whose next save meets `theirs`, and what it sends. */
function meets(base: Record<string, string>, theirs: Record<string, string>) {
  const sent: Record<string, string>[] = []
  let isStale = true
  const saver = new DocumentSaver<Texts, Texts['texts']>(
    { version: 1, texts: base },
    {
      contentOf: ({ texts }) => texts,
      save: (texts, version) => {
        sent.push(texts)
        if (!isStale) return Promise.resolve({ version: version + 1, texts })
        isStale = false
        return Promise.reject(new CallFailure({ kind: 'refused', status: 409, message: 'Stale' }))
      },
      readCurrent: () => ({ version: 2, texts: theirs }),
      onSaved: () => undefined,
    },
  )
  return { saver, sent }
}

test('saving over a conflict keeps what only the other user changed, and says what it replaces', async () => {
  const { saver, sent } = meets({ a: '1', b: '1', c: '1' }, { a: 'theirs', b: '1', c: 'theirs' })
  saver.change({ a: '1', b: 'mine', c: 'mine' })
  expect(await saver.flush()).toBe(false)
  expect(saver.merged('mine')).toEqual({ a: 'theirs', b: 'mine', c: 'mine' })
  expect(saver.merged('theirs')).toEqual({ a: 'theirs', b: 'mine', c: 'theirs' })
  saver.resolve('mine')
  await vi.advanceTimersByTimeAsync(0)
  expect(sent.at(-1)).toEqual({ a: 'theirs', b: 'mine', c: 'mine' })
  expect(saver.view()).toMatchObject({ state: 'saved', content: sent.at(-1), stored: { version: 3 } })
})

test('a save whose response was lost is no conflict with what was typed since', async () => {
  const { saver, change, answer, interfere, fail, title } = fakeServer()
  fail(new CallFailure({ kind: 'offline', message: 'No connection.' }))
  change('Mine')
  await vi.advanceTimersByTimeAsync(1_500)
  await answer()
  fail(null)
  // The server stored it, and the response never came.
  interfere('Mine')
  change('Mine, longer')
  const flushed = saver.flush()
  await vi.advanceTimersByTimeAsync(0)
  await answer()
  await answer()
  expect(await flushed).toBe(true)
  expect(title()).toBe('Mine, longer')
})
