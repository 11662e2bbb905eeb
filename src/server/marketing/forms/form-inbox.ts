import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { PROBLEM_CODES } from '#contract/questions/problem-messages.ts'
import { clock } from '#server/clock.ts'
import { isAway } from '#server/database/database-watch.ts'
import { writeDraft } from '#server/installation/exclusive-file.ts'

/** Bytes of the forms that wait on this machine, with their files: of all customers, and of one. */
const LIMITS = { total: 1_000_000_000, customer: 250_000_000 }
/** A form that fails for another reason than the database is tried again after this time, and less and less often. */
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 600_000

const Site = z.object({
  customerId: z.string(),
  host: z.string(),
  title: z.string(),
  logo: z.string().nullable(),
  favicon: z.string().nullable(),
  footer: z.string(),
  brand: z.string(),
})

/** A form as it was received while the database was away. */
const WaitingForm = z.object({
  site: Site,
  /** The last part of the form's address. */
  key: z.string(),
  /** Milliseconds since 1970. */
  receivedAt: z.number(),
  senderAddress: z.string(),
  /** Checked when it was received, so that a new secret changes nothing. */
  token: z.object({ number: z.number(), openedAt: z.number(), sentKey: z.string() }),
  isProven: z.boolean(),
  fields: z.array(z.tuple([z.string(), z.string()])),
  files: z.array(
    z.object({
      question: z.string(),
      name: z.string(),
      storedAs: z.string(),
      type: z.string(),
      size: z.number(),
      sha256: z.string(),
    }),
  ),
  refused: z.array(
    z.object({ question: z.string(), code: z.enum(PROBLEM_CODES), fill: z.number().optional() }),
  ),
})
export type WaitingForm = z.infer<typeof WaitingForm>

export type FormInbox = Readonly<{
  hasRoom: (customerId: string, bytes: number) => boolean
  /** Resolves once the form is on disk and would survive a power failure. */
  add: (form: WaitingForm) => Promise<void>
  /**
   * Hands over the forms in the order they came, and removes each once `store` has returned. A process that is killed in between
   * hands the form over again, so `store` has to recognize it. Ends at once while the database is away.
   */
  ingest: (store: (form: WaitingForm) => Promise<void>) => Promise<void>
  /** How many forms wait. */
  size: () => number
  /** Waits for the form that is being handed over, and hands over no more. */
  close: () => Promise<void>
}>

type Waiting = { customerId: string; bytes: number; retryAt: number; pauseMs: number }

/**
 * The forms that were received while the database was away, one file each. The folder belongs to one process, like its home.
 * `onError`: a form that can't be stored, which stays in the folder.
 */
export async function openFormInbox(
  folder: string,
  { limits = LIMITS, onError }: { limits?: typeof LIMITS; onError: (error: unknown) => void },
): Promise<FormInbox> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const waiting = new Map<string, Waiting>()
  for (const name of (await readdir(folder)).toSorted()) {
    const [, customerId = '', fileBytes = ''] = NAME.exec(name) ?? []
    // Never acknowledged: the process ended while it was written.
    if (name.endsWith('.draft')) await rm(join(folder, name), { force: true })
    else if (customerId !== '') {
      const { size } = await stat(join(folder, name))
      waiting.set(name, { customerId, bytes: size + Number(fileBytes), retryAt: 0, pauseMs: FIRST_PAUSE_MS })
    }
  }
  /** Bytes of forms that are being written. */
  const reserved = new Map<string, number>()
  let running: Promise<void> | null = null
  let isClosed = false

  const used = (customerId: string | null): number => {
    const kept = [...waiting.values()].filter((one) => customerId === null || one.customerId === customerId)
    const coming = [...reserved].filter(([id]) => customerId === null || id === customerId)
    return kept.reduce((all, { bytes }) => all + bytes, 0) + coming.reduce((all, [, bytes]) => all + bytes, 0)
  }

  async function handOver(store: (form: WaitingForm) => Promise<void>): Promise<void> {
    for (const [name, one] of waiting) {
      if (isClosed) return
      if (one.retryAt > clock.now()) continue
      try {
        await store(await read(join(folder, name)))
        await rm(join(folder, name))
        waiting.delete(name)
      } catch (error) {
        if (isAway(error)) return
        one.retryAt = clock.now() + one.pauseMs
        one.pauseMs = Math.min(one.pauseMs * 2, LONGEST_PAUSE_MS)
        onError(
          new Error(`The waiting form ${name} could not be stored and stays in ${folder}.`, { cause: error }),
        )
      }
    }
  }

  return {
    hasRoom: (customerId, bytes) =>
      used(customerId) + bytes <= limits.customer && used(null) + bytes <= limits.total,
    async add(form) {
      const { customerId } = form.site
      const text = JSON.stringify(form)
      const fileBytes = form.files.reduce((all, { size }) => all + size, 0)
      const bytes = Buffer.byteLength(text) + fileBytes
      reserved.set(customerId, (reserved.get(customerId) ?? 0) + bytes)
      try {
        const at = String(form.receivedAt).padStart(15, '0')
        const name = `${at}-${customerId}-${fileBytes}-${randomUUID()}.json`
        const draft = await writeDraft(join(folder, name), text)
        await rename(draft, join(folder, name))
        await syncFolder(folder)
        waiting.set(name, { customerId, bytes, retryAt: 0, pauseMs: FIRST_PAUSE_MS })
      } finally {
        const left = (reserved.get(customerId) ?? 0) - bytes
        if (left > 0) reserved.set(customerId, left)
        else reserved.delete(customerId)
      }
    },
    ingest(store) {
      running ??= handOver(store).finally(() => {
        running = null
      })
      return running
    },
    size: () => waiting.size,
    async close() {
      isClosed = true
      await running
    },
  }
}

/** When it came, the customer, and the bytes of its files. */
const NAME = /^\d{15}-(\d{1,19})-(\d{1,12})-[\da-f-]{36}\.json$/

async function read(path: string): Promise<WaitingForm> {
  return WaitingForm.parse(JSON.parse(await readFile(path, 'utf8')))
}

/** Makes a new name durable, too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
