import { describe, expect, test } from 'vitest'
import { type Change, combine, openQueue, type Result, type ServerAnswer, stateOf } from './answer-queue.ts'
import { AnswerSync, placeOf, SendFailure, type SyncParts } from './answer-sync.ts'

/** Numbers from 0 to 1 that are the same in every run. */
function dice(seed: number): () => number {
  let at = seed
  return () => {
    at = (at * 1_103_515_245 + 12_345) % 2_147_483_648
    return at / 2_147_483_648
  }
}

/** A clock whose timers run when time is advanced. */
function fakeTime() {
  let now = 0
  let timers: { at: number; work: () => void }[] = []
  return {
    now: () => now,
    after: (ms: number, work: () => void) => {
      const timer = { at: now + ms, work }
      timers.push(timer)
      return () => {
        timers = timers.filter((one) => one !== timer)
      }
    },
    async advance(ms: number) {
      now += ms
      const due = timers.filter(({ at }) => at <= now)
      timers = timers.filter(({ at }) => at > now)
      for (const { work } of due) work()
      await settled()
    },
  }
}
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** The rules of the server: a known ID gets its first response again; a stale base is refused and its value logged. */
class Server {
  readonly answers = new Map<string, ServerAnswer>()
  readonly responses = new Map<string, Result>()
  /** Every value that arrived, accepted or not. */
  readonly log: unknown[] = []

  take(change: Change, by: string): Result {
    const known = this.responses.get(change.id)
    if (known !== undefined) return known
    const key = `${change.question}/${change.row}`
    const current = this.answers.get(key)
    const rev = current?.rev ?? 0
    this.log.push(change.value)
    const isAccepted = change.base === rev || JSON.stringify(current?.value) === JSON.stringify(change.value)
    const result: Result =
      isAccepted || current === undefined
        ? { id: change.id, kind: 'accepted', rev: rev + 1 }
        : { id: change.id, kind: 'conflict', current }
    if (result.kind === 'accepted') this.answers.set(key, { value: change.value, rev: rev + 1, by, at: '' })
    this.responses.set(change.id, result)
    return result
  }
}

/** A device with its disk, whose page can be closed and opened again. */
function device(server: Server, name: string, random: () => number) {
  const disk = new Map<string, Change>()
  const time = fakeTime()
  const network = { isOn: true, drops: 0, repeats: 0 }
  let ids = 0
  const late: (() => void)[] = []
  const parts: SyncParts = {
    store: {
      write: async (put, removed) => {
        for (const change of put) disk.set(change.id, change)
        for (const id of removed) disk.delete(id)
      },
    },
    send: async (changes) => {
      if (!network.isOn) throw new SendFailure('away', 'No connection.')
      // Reordered: the server takes them in any order.
      const mixed = changes.toSorted(() => random() - 0.5)
      // Cut off before they arrive, or after, so that the same changes are sent again.
      if (random() < network.drops) throw new SendFailure('away', 'No connection.')
      const results = mixed.map((change) => server.take(change, name))
      if (random() < network.repeats) {
        late.push(() => mixed.forEach((change) => server.take(change, name)))
        throw new SendFailure('away', 'No response.')
      }
      return results.toReversed()
    },
    now: time.now,
    newId: () => `${name}-${(ids += 1)}`,
    random,
    after: time.after,
  }
  const revs = () => new Map([...server.answers].map(([key, { rev }]) => [key.replace('/', '\u0000'), rev]))
  const open = () => new AnswerSync(parts, openQueue([...disk.values()], revs()))
  return { disk, time, network, open, repeatLate: () => late.splice(0).forEach((send) => send()) }
}

const cell = (question: string) => ({ question, row: '' })

describe('one device', () => {
  test('queues a value when typing pauses for 600 ms, and sends it once', async () => {
    const server = new Server()
    const { open, time } = device(server, 'a', dice(1))
    const sync = open()
    sync.type(cell('q1'), 'H')
    await time.advance(400)
    sync.type(cell('q1'), 'Hello')
    await time.advance(599)
    expect(server.log).toEqual([])
    expect(sync.countWaiting()).toBe(1)
    await time.advance(1)
    expect(server.log).toEqual(['Hello'])
    expect(sync.countWaiting()).toBe(0)
    expect(stateOf(sync.state().queue, 'q1')).toBe('saved')
  })

  test('keeps a value on the device before it is sent, until the server confirms it', async () => {
    const server = new Server()
    const { open, time, network, disk } = device(server, 'a', dice(1))
    network.isOn = false
    const sync = open()
    sync.type(cell('q1'), 4.2)
    await time.advance(600)
    expect([...disk.values()]).toMatchObject([{ question: 'q1', value: 4.2, state: 'sent' }])
    expect(sync.state().problem?.kind).toBe('away')
    network.isOn = true
    await sync.retry()
    expect([server.answers.get('q1/')?.value, disk.size]).toEqual([4.2, 0])
  })

  test('sends what was typed before the page was closed, after it is opened again', async () => {
    const server = new Server()
    const { open, time, network } = device(server, 'a', dice(1))
    network.isOn = false
    const before = open()
    before.type(cell('q1'), 'first')
    await time.advance(600)
    before.type(cell('q1'), 'second')
    await before.flush({ keepalive: true })
    before.stop()
    await settled()
    network.isOn = true
    const after = open()
    expect(after.countWaiting()).toBe(1)
    await after.flush()
    expect(server.answers.get('q1/')).toMatchObject({ value: 'second', rev: 2 })
  })

  test('waits longer after each failed attempt, at most a minute', async () => {
    const server = new Server()
    const { open, time, network } = device(server, 'a', () => 1)
    network.isOn = false
    const sync = open()
    sync.type(cell('q1'), 'x')
    await time.advance(600)
    network.isOn = true
    await time.advance(999)
    expect(server.log).toEqual([])
    await time.advance(1)
    expect(server.log).toEqual(['x'])
  })

  test('keeps a refused value on the device with its reason, and replaces it with the next one', async () => {
    const time = fakeTime()
    const sent: unknown[] = []
    const sync = new AnswerSync(
      {
        store: null,
        send: async (changes) =>
          changes.map(({ id, value }): Result => {
            sent.push(value)
            return value === 'bad'
              ? { id, kind: 'refused', message: 'Enter a number.' }
              : { id, kind: 'accepted', rev: 1 }
          }),
        now: time.now,
        newId: () => `${sent.length}-${Math.floor(time.now())}`,
        random: () => 0,
        after: time.after,
      },
      openQueue([], new Map()),
    )
    sync.type(cell('q1'), 'bad')
    await time.advance(600)
    expect(sync.state().queue.changes).toMatchObject([
      { state: 'refused', message: 'Enter a number.', value: 'bad' },
    ])
    expect(sync.state().isKept).toBe(false)
    sync.type(cell('q1'), '5')
    await time.advance(600)
    expect([sent, sync.state().queue.changes]).toEqual([['bad', '5'], []])
  })
})

test('a full disk is said, and what it did not take is written once there is room', async () => {
  const time = fakeTime()
  const disk = new Set<string>()
  let isFull = true
  const sync = new AnswerSync(
    {
      store: {
        write: async (put, removed) => {
          if (isFull) throw new Error('The disk is full.')
          for (const { id } of put) disk.add(id)
          for (const id of removed) disk.delete(id)
        },
      },
      send: async () => Promise.reject(new SendFailure('away', 'No connection.')),
      now: time.now,
      newId: () => `id-${time.now()}`,
      random: () => 1,
      after: time.after,
    },
    openQueue([], new Map()),
  )
  sync.type(cell('q1'), 'x')
  await time.advance(600)
  expect([sync.state().isKept, disk.size, sync.countWaiting()]).toEqual([false, 0, 1])
  isFull = false
  sync.type(cell('q2'), 'y')
  await time.advance(600)
  expect([sync.state().isKept, disk.size, sync.countWaiting()]).toEqual([true, 2, 2])
})

test('a value is on the device, marked as sent, before it is sent', async () => {
  const time = fakeTime()
  const disk = new Map<string, Change>()
  const sent: [value: unknown, stateOnDevice: string | undefined][] = []
  let finishWriting = () => {}
  const sync = new AnswerSync(
    {
      store: {
        write: async (put, removed) => {
          await new Promise<void>((resolve) => {
            finishWriting = resolve
          })
          for (const change of put) disk.set(change.id, change)
          for (const id of removed) disk.delete(id)
        },
      },
      send: async (changes) => {
        for (const { id, value } of changes) sent.push([value, disk.get(id)?.state])
        return changes.map(({ id }): Result => ({ id, kind: 'accepted', rev: 1 }))
      },
      now: time.now,
      newId: () => `id-${time.now()}`,
      random: () => 0,
      after: time.after,
    },
    openQueue([], new Map()),
  )
  sync.type(cell('q1'), 'x')
  await time.advance(600)
  // First the value, then that it is on its way.
  for (const step of ['the value', 'its state']) {
    expect([step, sent]).toEqual([step, []])
    finishWriting()
    await settled()
  }
  expect(sent).toEqual([['x', 'sent']])
})

test.for([
  ['away', 2],
  ['ended', 1],
  ['blocked', 1],
] as const)(
  'after the failure "%s" a value was sent %i times two minutes later',
  async ([kind, attempts]) => {
    const { time, sync, count } = failingSync(kind)
    sync.type(cell('q1'), 'x')
    await time.advance(600)
    await time.advance(60_000)
    expect([count(), sync.countWaiting()]).toEqual([attempts, 1])
    await sync.retry()
    expect(count()).toBe(attempts + 1)
  },
)

/** An answer queue whose every attempt to send fails. */
function failingSync(kind: SendFailure['kind']) {
  const time = fakeTime()
  let attempts = 0
  const sync = new AnswerSync(
    {
      store: null,
      send: async () => {
        attempts += 1
        throw new SendFailure(kind, 'Not sent.')
      },
      now: time.now,
      newId: () => `id-${attempts}`,
      random: () => 1,
      after: time.after,
    },
    openQueue([], new Map()),
  )
  return { time, sync, count: () => attempts }
}

test('each value is on the device at once, and sent after a pause, or after three seconds without one', async () => {
  const server = new Server()
  const { open, time, disk } = device(server, 'a', () => 1)
  const sync = open()
  for (let ms = 0; ms < 3_000; ms += 500) {
    sync.type(cell('q1'), `text ${ms}`)
    expect(placeOf(sync.state(), 'q1')).toBe('typed')
    await settled()
    expect(placeOf(sync.state(), 'q1')).toBe('kept')
    expect([...disk.values()]).toMatchObject([{ question: 'q1', value: `text ${ms}` }])
    expect(server.log).toEqual([])
    await time.advance(500)
  }
  expect(server.log).toEqual(['text 2500'])
})

test('a value that is typed while others are sent waits for its own pause', async () => {
  const { time } = device(new Server(), 'a', () => 1)
  const batches: unknown[][] = []
  let arrive = () => {}
  const sync = new AnswerSync(
    {
      store: null,
      send: async (changes) => {
        batches.push(changes.map(({ value }) => value))
        await new Promise<void>((resolve) => (arrive = resolve))
        return changes.map(({ id }) => ({ id, kind: 'accepted', rev: 1 }))
      },
      now: time.now,
      newId: () => crypto.randomUUID(),
      random: () => 1,
      after: time.after,
    },
    openQueue([], new Map()),
  )
  sync.type(cell('q1'), 'done')
  await time.advance(600)
  sync.type(cell('q2'), 'half')
  arrive()
  await settled()
  expect(batches).toEqual([['done']])
  await time.advance(600)
  expect(batches).toEqual([['done'], ['half']])
})

test('what the device could not write is not called kept', async () => {
  const { time } = device(new Server(), 'a', () => 1)
  const nowhere = new AnswerSync(
    {
      store: { write: () => Promise.reject(new Error('The disk is full.')) },
      send: () => Promise.reject(new SendFailure('away', 'No connection.')),
      now: time.now,
      newId: () => 'b',
      random: () => 1,
      after: time.after,
    },
    openQueue([], new Map()),
  )
  nowhere.type(cell('q1'), 'lost')
  await settled()
  expect(placeOf(nowhere.state(), 'q1')).toBe('typed')
  expect(nowhere.state().isKept).toBe(false)
})

describe('two devices change one answer', () => {
  async function conflict() {
    const server = new Server()
    const [a, b] = [device(server, 'a', dice(1)), device(server, 'b', dice(2))]
    const [one, other] = [a.open(), b.open()]
    one.type(cell('q1'), 'theirs')
    await a.time.advance(600)
    other.type(cell('q1'), 'mine')
    await b.time.advance(600)
    const [change] = other.state().queue.changes
    if (change === undefined) throw new Error('There is no conflict.')
    expect(change).toMatchObject({ state: 'conflict', value: 'mine', current: { value: 'theirs' } })
    return { server, other, change }
  }

  test.for([
    ['mine', { kind: 'mine' }, 'mine'],
    ['theirs', { kind: 'theirs' }, 'theirs'],
    ['both', { kind: 'both', value: 'theirs\nmine' }, 'theirs\nmine'],
  ] as const)('and the person keeps %s', async ([, choice, kept]) => {
    const { server, other, change } = await conflict()
    await other.resolveConflict(change.id, choice)
    expect(server.answers.get('q1/')?.value).toBe(kept)
    expect(other.state().queue.changes).toEqual([])
    // The value that was not kept is still in the server's log.
    expect(server.log).toEqual(expect.arrayContaining(['mine', 'theirs']))
  })

  test('texts and choices can be kept both, numbers cannot', () => {
    expect(combine('longText', 'a', 'b')).toEqual({ value: 'a\nb' })
    expect(combine('multiple', ['x', 'y'], ['y', 'z'])).toEqual({ value: ['x', 'y', 'z'] })
    expect(combine('number', '1', '2')).toBe(null)
  })
})

test.for([3, 17, 29])(
  'loses no value with drops, repeats, reordering and closed pages (seed %i)',
  async (seed) => {
    const random = dice(seed)
    const server = new Server()
    const devices = ['a', 'b'].map((name) => device(server, name, random))
    const typed = new Map<string, unknown>()
    for (const one of devices) Object.assign(one.network, { drops: 0.3, repeats: 0.3 })
    const syncs = devices.map((one) => one.open())
    for (let step = 0; step < 1_500; step += 1) {
      const at = random() < 0.5 ? 0 : 1
      const [one, sync] = [devices[at], syncs[at]]
      if (one === undefined || sync === undefined) throw new Error('There is no device.')
      const what = random()
      if (what < 0.7) {
        // Each device has questions of its own, and all values differ.
        const question = `${at}-q${Math.floor(random() * 40)}`
        typed.set(`${question}/`, step)
        sync.type(cell(question), step)
      }
      if (what > 0.97) {
        void sync.flush({ keepalive: true })
        await settled()
        sync.stop()
        syncs[at] = one.open()
      }
      if (what > 0.9 && what < 0.93) one.network.isOn = !one.network.isOn
      one.repeatLate()
      await one.time.advance(random() < 0.3 ? 700 : 100)
    }
    for (const [at, one] of devices.entries()) {
      Object.assign(one.network, { isOn: true, drops: 0, repeats: 0 })
      await syncs[at]?.retry()
      await one.time.advance(120_000)
      await syncs[at]?.retry()
      one.repeatLate()
      expect(one.disk.size).toBe(0)
    }
    expect(Object.fromEntries([...server.answers].map(([key, { value }]) => [key, value]))).toEqual(
      Object.fromEntries(typed),
    )
  },
)
