import { useSyncExternalStore } from 'react'
import { files } from '#contract/files/files.ts'
import { dashboard } from '#contract/home/dashboard.ts'
import {
  MAX_PHOTO_NAMES,
  type PhotoOutcome,
  type PhotoVehicle,
  vehiclePhotos,
} from '#contract/inventory/vehicles/vehicle-photos.ts'
import { vehicles } from '#contract/inventory/vehicles/vehicles.ts'
import { facets } from '#contract/lists/facets.ts'
import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'
import { keyOf, queryClient } from '#web/api/query.ts'
import { upload } from '#web/api/upload.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import { sessionSignal } from '#web/ui/tasks/background-tasks.ts'
import {
  groupPictures,
  isPicture,
  type LeftPicture,
  type Picture,
  type PictureGroup,
  portionsOf,
} from './photo-groups.ts'

/** What became of a picture. `failed`: it did not get there, and may be sent again. */
export type PictureState = Readonly<{
  state: 'waiting' | 'sending' | 'failed' | PhotoOutcome['outcome']
  reason: string | null
}>

/** Photos on their way to many vehicles. */
export type PhotoBatch = Readonly<{
  phase: 'empty' | 'matching' | 'matched' | 'sending' | 'over'
  groups: readonly PictureGroup[]
  left: readonly LeftPicture[]
  /** The vehicle that somebody chose for a group of several, by the group. */
  chosen: ReadonlyMap<string, string>
  states: ReadonlyMap<number, PictureState>
  /** Bytes that are out, and how many there are. */
  sent: number
  bytes: number
  /** What kept the names from being looked up, or pictures from being taken back. */
  failure: CallFailure | null
}>

/** A vehicle and what it was given; `wasLocked`: feeds left its photos alone before. */
type PhotoInput = { places: string[]; wasLocked: boolean }

const NOTHING: PhotoBatch = {
  phase: 'empty',
  groups: [],
  left: [],
  chosen: new Map(),
  states: new Map(),
  sent: 0,
  bytes: 0,
  failure: null,
}
/** Vehicles that are sent to side by side. */
const AT_ONCE = 2
const STOPPED = 'Stopped before it was sent.'
const HELD_UP = 'Not sent, because one before it did not get there.'

// Outside of any page: it goes on while its person looks at something else.
let batch: PhotoBatch = NOTHING
let pictures: readonly Picture[] = []
let given = new Map<string, PhotoInput>()
let begun = 0
let watched = 0
let stopper = new AbortController()
const meant = new Map<string, readonly PhotoVehicle[]>()
const viewers = new Set<() => void>()

function show(change: Partial<PhotoBatch>): void {
  batch = { ...batch, ...change }
  for (const viewer of viewers) viewer()
}

/** The photos that were brought and how far they are. */
export function usePhotoBatch(): PhotoBatch {
  return useSyncExternalStore(subscribe, () => batch)
}

/** Somebody looks at it, so nothing has to be said elsewhere once it is over. @returns how to undo it. */
export function watchPhotos(): () => void {
  watched += 1
  return () => {
    watched -= 1
  }
}

/** Adds files to those that are there and asks what their names mean. Nothing is written. */
export async function uploadPhotos(brought: readonly File[]): Promise<void> {
  if (batch.phase === 'sending' || brought.length === 0) return
  if (batch.phase === 'over') invalidatePhotos()
  if (pictures.length === 0) sessionSignal().addEventListener('abort', invalidatePhotos, { once: true })
  const known = new Set(pictures.map(({ file }) => markOf(file)))
  const added = brought.filter((file) => !known.has(markOf(file)))
  pictures = [
    ...pictures,
    ...added.map((file) => {
      begun += 1
      return { id: begun, file }
    }),
  ]
  await matchPhotos()
}

/** Asks for the names nobody has asked for yet. */
export async function matchPhotos(): Promise<void> {
  show({ phase: 'matching', failure: null })
  try {
    const wanted = pictures.filter(({ file }) => isPicture(file) && !meant.has(file.name))
    const names = [...new Set(wanted.map(({ file }) => file.name))]
    for (let at = 0; at < names.length; at += MAX_PHOTO_NAMES) {
      const answer = await call(vehiclePhotos.match, { names: names.slice(at, at + MAX_PHOTO_NAMES) })
      const found = new Map(answer.vehicles.map((vehicle) => [vehicle.id, vehicle]))
      for (const { name, vehicleIds } of answer.matches) {
        meant.set(
          name,
          vehicleIds.flatMap((id) => found.get(id) ?? []),
        )
      }
    }
    show({ phase: 'matched', ...groupPictures(pictures, meant) })
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure
    show({ phase: 'matched', failure })
  }
}

/** Says which of several vehicles a group means; null: none of them. */
export function chooseVehicle(key: string, vehicleId: string | null): void {
  const chosen = new Map(batch.chosen)
  if (vehicleId === null) chosen.delete(key)
  else chosen.set(key, vehicleId)
  show({ chosen })
}

/** The vehicle a group goes to; null while nobody chose one. */
export function targetOf({ chosen }: PhotoBatch, { key, vehicles: of }: PictureGroup): string | null {
  if (of.length === 1) return of[0]?.id ?? null
  return chosen.get(key) ?? null
}

/** Sends what has a vehicle and is not there yet: the first time all of it, later what failed. */
export async function sendPhotos(): Promise<void> {
  if (batch.phase !== 'matched' && batch.phase !== 'over') return
  const lines = batch.groups.flatMap((group) => {
    const vehicleId = targetOf(batch, group)
    const open = group.pictures.filter(({ id }) => isOpen(batch.states.get(id)))
    return vehicleId === null || open.length === 0 ? [] : [{ vehicleId, open }]
  })
  const all = lines.flatMap(({ open }) => open)
  if (all.length === 0) return
  stopper = new AbortController()
  const signal = AbortSignal.any([stopper.signal, sessionSignal()])
  show({
    phase: 'sending',
    failure: null,
    sent: 0,
    bytes: all.reduce((sum, { file }) => sum + file.size, 0),
    states: told(all, { state: 'waiting', reason: null }),
  })
  const waiting = [...lines]
  const work = async (): Promise<void> => {
    for (let line = waiting.shift(); line !== undefined; line = waiting.shift()) {
      await sendLine(line.vehicleId, line.open, signal)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  // Cleared meanwhile, or its person left.
  if (!isSending()) return
  show({ phase: 'over' })
  await invalidateShown()
  if (watched === 0) offerToTakeBack()
}

/** What is on its way is given up; what is there stays. */
export function stopPhotos(): void {
  stopper.abort()
}

/** Takes out what was added, and goes back to what was dropped. */
export async function takePhotosBack(): Promise<void> {
  const back = Array.from(given, ([id, { places, wasLocked }]) => ({ id, places, unlocks: !wasLocked }))
  await call(vehiclePhotos.undoJob, { vehicles: back })
  given = new Map()
  await invalidateShown()
  show({ phase: 'matched', states: new Map(), sent: 0, failure: null })
}

/** How many pictures were added to how many vehicles. */
export function addedSoFar(): { photos: number; vehicles: number } {
  return {
    photos: [...given.values()].reduce((sum, { places }) => sum + places.length, 0),
    vehicles: given.size,
  }
}

/** Begins anew. */
export function invalidatePhotos(): void {
  stopper.abort()
  pictures = []
  given = new Map()
  meant.clear()
  show(NOTHING)
}

async function sendLine(vehicleId: string, open: readonly Picture[], signal: AbortSignal): Promise<void> {
  let heldUp: string | null = null
  for (const portion of portionsOf(open)) {
    if (signal.aborted) heldUp = STOPPED
    if (heldUp !== null) {
      show({ states: told(portion, { state: 'failed', reason: heldUp }) })
      continue
    }
    const failure = await sendPortion(vehicleId, portion, signal)
    // Those behind it would stand before it once it is sent again.
    if (failure !== null) heldUp = HELD_UP
  }
}

/** @returns why none of it got there; null where it did. */
async function sendPortion(
  vehicleId: string,
  portion: readonly Picture[],
  signal: AbortSignal,
): Promise<string | null> {
  show({ states: told(portion, { state: 'sending', reason: null }) })
  const size = portion.reduce((sum, { file }) => sum + file.size, 0)
  let out = 0
  const tellSent = (bytes: number) => {
    if (!isSending()) return
    const now = Math.min(bytes, size)
    show({ sent: batch.sent + now - out })
    out = now
  }
  try {
    const { outcomes, wasLocked } = await upload(
      vehiclePhotos.add,
      { id: vehicleId },
      portion.map(({ file }) => file),
      { signal, onSent: tellSent },
    )
    const states = new Map(batch.states)
    for (const [at, { id }] of portion.entries()) {
      const outcome = outcomes[at]
      if (outcome) states.set(id, { state: outcome.outcome, reason: outcome.reason })
    }
    const places = outcomes.flatMap(({ place }) => place ?? [])
    const before = given.get(vehicleId)
    if (before) before.places.push(...places)
    else if (places.length > 0) given.set(vehicleId, { places, wasLocked })
    show({ states })
    return null
  } catch (failure) {
    if (!(failure instanceof CallFailure) && !signal.aborted) throw failure
    const reason = failure instanceof CallFailure ? failure.message : STOPPED
    if (isSending()) show({ states: told(portion, { state: 'failed', reason }) })
    return reason
  } finally {
    tellSent(size)
  }
}

const isSending = (): boolean => batch.phase === 'sending'

function offerToTakeBack(): void {
  const { photos, vehicles: many } = addedSoFar()
  if (photos === 0) return
  const text = `${count(photos, 'photo is', 'photos are')} added to ${count(many, 'vehicle', 'vehicles')}`
  offerUndo({ text, undo: takePhotosBack })
}

const isOpen = (state: PictureState | undefined): boolean => state === undefined || state.state === 'failed'

function told(some: readonly Picture[], state: PictureState): ReadonlyMap<number, PictureState> {
  return new Map([...batch.states, ...some.map(({ id }) => [id, state] as const)])
}

/** Tells files apart that are dropped twice. */
const markOf = ({ name, size, lastModified }: File): string => `${name}\n${size}\n${lastModified}`

/** Whatever shows vehicles or their files. */
async function invalidateShown(): Promise<void> {
  const shown = [
    vehicles.list,
    vehicles.get,
    vehicles.timeline,
    facets.list,
    files.getChildren,
    dashboard.get,
  ]
  await Promise.all(shown.map((endpoint) => queryClient.invalidateQueries({ queryKey: keyOf(endpoint) })))
}

function subscribe(viewer: () => void): () => void {
  viewers.add(viewer)
  return () => void viewers.delete(viewer)
}
