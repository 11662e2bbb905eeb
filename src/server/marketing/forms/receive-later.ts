import { createHash } from 'node:crypto'
import { FIELD_NAMES } from '#contract/marketing/forms/form-body.ts'
import type { Site } from '#contract/marketing/site/site.ts'
import { clock } from '#server/clock.ts'
import { inTenant } from '#server/database/tenant-transaction.ts'
import { sweepFiles } from '#server/files/index.ts'
import { tooMany } from '#server/http/failure.ts'
import { addressKey } from '#server/identity/index.ts'
import type { FileStorage, StoragePath } from '#server/outside/file-storage.ts'
import { systemScope } from '#server/queue/due-items.ts'
import type { WaitingForm } from './form-inbox.ts'
import { formFilePlace } from './form-files.ts'
import type { FormParts, LaterParts } from './form-parts.ts'
import { type FormToken, newSentKey } from './form-token.ts'
import { openSentForm } from './open-form.ts'
import { isProven, nonceOf } from './proof-of-work.ts'
import type { PublicForm } from './public-forms.ts'
import type { SentForm } from './read-sent-form.ts'
import { receivePage } from './receive-form.ts'

/** Forms without a proof of work of their own from one network within an hour of an outage. */
const MOST_AN_HOUR = 20
const HOUR_MS = 3_600_000
/** Of networks, and of proofs. */
const MAX_COUNTED = 10_000

/** Counts forms in memory: the usual counts, and the proofs that were spent, are in the database. */
export function countInMemory(): LaterParts['count'] {
  const counts = new Map<string, { from: number; count: number }>()
  const spent = new Map<string, string>()
  return ({ network, nonce, content }) => {
    if (nonce !== null && (spent.get(nonce) ?? content) === content) {
      if (spent.size >= MAX_COUNTED) spent.clear()
      spent.set(nonce, content)
      return
    }
    const now = clock.now()
    const known = counts.get(network)
    const one = known === undefined || now - known.from > HOUR_MS ? { from: now, count: 0 } : known
    if (one.count >= MOST_AN_HOUR)
      throw tooMany(
        'Too many forms were sent from this network.',
        Math.ceil((one.from + HOUR_MS - now) / 1_000),
      )
    one.count += 1
    if (counts.size >= MAX_COUNTED) counts.clear()
    counts.set(network, one)
  }
}

/** Whether a form can be kept until the database is back: it is complete, and there is room. */
export function canWait(
  { compiled, customerId }: PublicForm,
  { body, files }: SentForm,
  { inbox }: LaterParts,
): boolean {
  const bytes = JSON.stringify([...body]).length + files.reduce((all, { size }) => all + size, 0)
  const { sections } = compiled.definition
  // A step that is followed by others could not be followed by them now.
  const isLast = sections.length === 1 || body.get(FIELD_NAMES.step) === sections.at(-1)?.id
  return isLast && !body.has(FIELD_NAMES.more) && inbox.hasRoom(customerId, bytes)
}

/** Keeps a form until the database is back. Returns once it is on disk. */
export async function keepForLater(
  { secrets, storage, later }: FormParts,
  {
    site,
    key,
    token,
    sent,
    senderAddress,
  }: { site: Site; key: string; token: FormToken; sent: SentForm; senderAddress: string },
): Promise<void> {
  const receivedAt = clock.now()
  const proof = sent.body.get(FIELD_NAMES.proof) ?? ''
  // It is spent when the form is stored, by what is received first.
  const isProvenNow = await isProven(secrets, token.sentKey, proof)
  later.count({
    network: addressKey(senderAddress),
    nonce: isProvenNow ? nonceOf(proof) : null,
    content: fingerprintOf(sent),
  })
  // Out of reach of the sweep that removes files that no row names.
  await moveFiles(storage, site.customerId, sent.files, { from: formFilePlace, to: waitingPlace })
  const files = sent.files.map(({ question, name, storedAs, type, size, sha256 }) => ({
    question,
    name,
    storedAs,
    type,
    size,
    sha256,
  }))
  await later.inbox.add({
    site,
    key,
    receivedAt,
    senderAddress,
    token,
    isProven: isProvenNow,
    fields: [...sent.body],
    files,
    refused: [...sent.refused],
  })
}

/** What a form contains, to know it again. */
function fingerprintOf({ body, files }: SentForm): string {
  const text = JSON.stringify([[...body], files.map(({ question, sha256 }) => [question, sha256])])
  return createHash('sha256').update(text).digest('base64url')
}

/** Stores the forms that wait, as if they arrived now, with the time at which they were received. */
export function ingestForms(parts: FormParts): Promise<void> {
  return parts.later.inbox.ingest((form) => storeWaiting(parts, form))
}

async function storeWaiting(parts: FormParts, waiting: WaitingForm): Promise<void> {
  const { site, key, token, senderAddress, files } = waiting
  const { storage, pool, later } = parts
  await moveFiles(storage, site.customerId, files, { from: waitingPlace, to: formFilePlace })
  const body = new URLSearchParams(waiting.fields)
  try {
    await later.watch.attempt(() =>
      inTenant(pool, systemScope(site.customerId, 'site.form'), async (db) => {
        const found = await openSentForm(db, site, {
          key,
          token: '',
          checked: token,
          secrets: parts.secrets,
          vehicleId: body.get(FIELD_NAMES.vehicle),
          pictureAddress: parts.picturesOf(site),
        })
        if (found === null) throw new Error(`The form ${key} doesn't exist anymore.`)
        await receivePage(db, parts, {
          body,
          files: files.map((file) => ({ ...file, file: PUBLISHED })),
          refused: waiting.refused,
          opened: found.opened,
          token,
          newSentKey: newSentKey(),
          senderAddress,
          waited: { receivedAt: new Date(waiting.receivedAt), isProven: waiting.isProven },
        })
      }),
    )
  } catch (error) {
    await moveFiles(storage, site.customerId, files, { from: formFilePlace, to: waitingPlace })
    throw error
  }
}

const alreadyPublished = async (): Promise<never> => {
  throw new Error('This file was published when it was received.')
}
const PUBLISHED = { publish: alreadyPublished, discard: alreadyPublished }

const WAITING_FOLDER = '_forms-waiting'
const folderOfWaitingFiles = (customerId: string): StoragePath => [customerId, WAITING_FOLDER]
const waitingPlace = (customerId: string, storedAs: string): StoragePath => [
  ...folderOfWaitingFiles(customerId),
  storedAs,
]

type PlaceOf = (customerId: string, storedAs: string) => StoragePath

/** Moves files. Those that were moved before a process was killed stay where they are. */
async function moveFiles(
  storage: FileStorage,
  customerId: string,
  files: readonly { storedAs: string }[],
  { from, to }: { from: PlaceOf; to: PlaceOf },
): Promise<void> {
  for (const { storedAs } of files) {
    const place = from(customerId, storedAs)
    if ((await storage.find(place)) !== null) await storage.move(place, to(customerId, storedAs))
  }
}

/** Files of a form that no process has kept: it ended between storing them and thanking for the form. */
const ORPHAN_MS = 30 * 24 * HOUR_MS

/** Removes files that were left behind so long ago that no form waits for them. @returns their number */
export function sweepWaitingFiles(
  parts: Parameters<typeof sweepFiles>[0],
  now = clock.now(),
): Promise<number> {
  const of = { name: 'waiting-file-sweep', folderOf: folderOfWaitingFiles, readNamed: async () => [] }
  return sweepFiles(parts, of, now - ORPHAN_MS)
}
