import { clock } from '#server/clock.ts'

/** How long repetitions are counted before they are written. */
const COUNTING_MS = 2_000
/** What is counted at the same time; more is written at once. */
const MOST_COUNTED = 10_000

/** Entries that repeat. */
export type CountedEntries<Entry> = {
  /** `key`: what makes entries of a minute one. */
  note: (key: string, entry: Entry) => Promise<void>
  /** Writes what was counted. */
  flush: () => Promise<void>
}

/**
 * The first entry of a key is written at once. Repetitions are counted and written every two seconds, with the last one, so that
 * a program that causes many costs next to nothing.
 */
export function countEntries<Entry>(
  write: (entry: Entry, times: number) => Promise<unknown>,
  onError: (error: unknown) => void,
): CountedEntries<Entry> {
  let counting = new Map<string, { minute: number; times: number; last: Entry }>()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const minute = minuteNow()
    const counted = [...counting.values()].filter(({ times }) => times > 0)
    counting = new Map(
      [...counting].flatMap(([key, one]) => (one.minute === minute ? [[key, { ...one, times: 0 }]] : [])),
    )
    // One after the other: it is no one's hurry.
    // oxlint-disable-next-line no-await-in-loop
    for (const { last, times } of counted) await write(last, times).catch(onError)
  }

  return {
    async note(key, last) {
      const minute = minuteNow()
      const known = counting.get(key)
      if (known?.minute === minute) {
        known.times += 1
        known.last = last
        if (timer === undefined) {
          timer = setTimeout(() => void flush(), COUNTING_MS)
          timer.unref()
        }
        return
      }
      if (known !== undefined && known.times > 0) await write(known.last, known.times).catch(onError)
      if (counting.size < MOST_COUNTED) counting.set(key, { minute, times: 0, last })
      await write(last, 1).catch(onError)
    },
    flush,
  }
}

const minuteNow = (): number => Math.floor(clock.now() / 60_000)
