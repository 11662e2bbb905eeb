import { useSyncExternalStore } from 'react'
import { files } from '#contract/files/files.ts'
import { dashboard } from '#contract/home/dashboard.ts'
import {
  MAX_PHOTO_NAMES,
  type PhotoOutcome,
  type PhotoVehicle,
  vehiclePhotos,
} from '#contract/vehicles/vehicles/photos/vehicle-photos.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
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
  type SkippedPicture,
  type Picture,
  type PictureGroup,
  portionsOf,
} from './photo-groups.ts'

/** The state of a photo. `failed`: the upload failed and can be retried. */
export type PictureState = Readonly<{
  state: 'waiting' | 'sending' | 'failed' | PhotoOutcome['outcome']
  reason: string | null
}>

/** A bulk photo upload. */
export type PhotoBatch = Readonly<{
  phase: 'empty' | 'matching' | 'matched' | 'sending' | 'over'
  groups: readonly PictureGroup[]
  left: readonly SkippedPicture[]
  /** The vehicle chosen for each group with several matches, by group key. */
  chosen: ReadonlyMap<string, string>
  states: ReadonlyMap<number, PictureState>
  /** Bytes sent, and the total. */
  sent: number
  bytes: number
  /** Why matching the names or undoing the upload failed. */
  failure: CallFailure | null
}>

/** The photos added to a vehicle; `wasLocked`: its photos were locked before. */
type AddedPhotos = { places: string[]; wasLocked: boolean }

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
/** Number of vehicles uploaded to concurrently. */
const AT_ONCE = 2
const STOPPED = 'Stopped before it was uploaded.'
const EARLIER_FAILED = 'Not uploaded because an earlier photo failed. This keeps the photos in order.'

// Module state, so that the upload continues while the user visits other pages.
let batch: PhotoBatch = NOTHING
let pictures: readonly Picture[] = []
let addedTo = new Map<string, AddedPhotos>()
let lastId = 0
let watchers = 0
let uploadAbort = new AbortController()
const matchesByName = new Map<string, readonly PhotoVehicle[]>()
const viewers = new Set<() => void>()

function show(change: Partial<PhotoBatch>): void {
  batch = { ...batch, ...change }
  for (const viewer of viewers) viewer()
}

/** The current batch and its progress. */
export function usePhotoBatch(): PhotoBatch {
  return useSyncExternalStore(subscribe, () => batch)
}

/** Marks the batch as visible, so that no notice is needed when it ends. @returns a function that ends this. */
export function watchPhotos(): () => void {
  watchers += 1
  return () => {
    watchers -= 1
  }
}

/** Adds files to the batch and matches their names. Nothing is uploaded yet. */
export async function addPhotoFiles(chosenFiles: readonly File[]): Promise<void> {
  if (batch.phase === 'sending' || chosenFiles.length === 0) return
  if (batch.phase === 'over') clearPhotos()
  if (pictures.length === 0) sessionSignal().addEventListener('abort', clearPhotos, { once: true })
  const known = new Set(pictures.map(({ file }) => identityOf(file)))
  const added = chosenFiles.filter((file) => !known.has(identityOf(file)))
  pictures = [
    ...pictures,
    ...added.map((file) => {
      lastId += 1
      return { id: lastId, file }
    }),
  ]
  await matchPhotos()
}

/** Matches names that haven't been matched yet. */
export async function matchPhotos(): Promise<void> {
  show({ phase: 'matching', failure: null })
  try {
    const wanted = pictures.filter(({ file }) => isPicture(file) && !matchesByName.has(file.name))
    const names = [...new Set(wanted.map(({ file }) => file.name))]
    for (let at = 0; at < names.length; at += MAX_PHOTO_NAMES) {
      const answer = await call(vehiclePhotos.match, { names: names.slice(at, at + MAX_PHOTO_NAMES) })
      const found = new Map(answer.vehicles.map((vehicle) => [vehicle.id, vehicle]))
      for (const { name, vehicleIds } of answer.matches) {
        matchesByName.set(
          name,
          vehicleIds.flatMap((id) => found.get(id) ?? []),
        )
      }
    }
    show({ phase: 'matched', ...groupPictures(pictures, matchesByName) })
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure
    show({ phase: 'matched', failure })
  }
}

/** Chooses one of several matching vehicles for a group; null: none. */
export function chooseVehicle(key: string, vehicleId: string | null): void {
  const chosen = new Map(batch.chosen)
  if (vehicleId === null) chosen.delete(key)
  else chosen.set(key, vehicleId)
  show({ chosen })
}

/** The vehicle of a group; null until one is chosen. */
export function targetOf({ chosen }: PhotoBatch, { key, vehicles: of }: PictureGroup): string | null {
  if (of.length === 1) return of[0]?.id ?? null
  return chosen.get(key) ?? null
}

/** Uploads all photos with a vehicle; later calls retry the failed ones. */
export async function sendPhotos(): Promise<void> {
  if (batch.phase !== 'matched' && batch.phase !== 'over') return
  const lines = batch.groups.flatMap((group) => {
    const vehicleId = targetOf(batch, group)
    const open = group.pictures.filter(({ id }) => isOpen(batch.states.get(id)))
    return vehicleId === null || open.length === 0 ? [] : [{ vehicleId, open }]
  })
  const all = lines.flatMap(({ open }) => open)
  if (all.length === 0) return
  uploadAbort = new AbortController()
  const signal = AbortSignal.any([uploadAbort.signal, sessionSignal()])
  show({
    phase: 'sending',
    failure: null,
    sent: 0,
    bytes: all.reduce((sum, { file }) => sum + file.size, 0),
    states: withState(all, { state: 'waiting', reason: null }),
  })
  const waiting = [...lines]
  const work = async (): Promise<void> => {
    for (let line = waiting.shift(); line !== undefined; line = waiting.shift()) {
      await uploadToVehicle(line.vehicleId, line.open, signal)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  // The batch was cleared, or the user signed out.
  if (!isSending()) return
  show({ phase: 'over' })
  await invalidatePhotoQueries()
  if (watchers === 0) offerUndoAdd()
}

/** Cancels pending uploads; photos that have been added stay. */
export function stopPhotos(): void {
  uploadAbort.abort()
}

/** Removes the added photos and returns to the review of the batch. */
export async function undoAddPhotos(): Promise<void> {
  const back = Array.from(addedTo, ([id, { places, wasLocked }]) => ({ id, places, unlocks: !wasLocked }))
  await call(vehiclePhotos.undoUpload, { vehicles: back })
  addedTo = new Map()
  await invalidatePhotoQueries()
  show({ phase: 'matched', states: new Map(), sent: 0, failure: null })
}

/** The number of added photos and their vehicles. */
export function addedSoFar(): { photos: number; vehicles: number } {
  return {
    photos: [...addedTo.values()].reduce((sum, { places }) => sum + places.length, 0),
    vehicles: addedTo.size,
  }
}

/** Cancels uploads and empties the batch. */
export function clearPhotos(): void {
  uploadAbort.abort()
  pictures = []
  addedTo = new Map()
  matchesByName.clear()
  show(NOTHING)
}

async function uploadToVehicle(
  vehicleId: string,
  open: readonly Picture[],
  signal: AbortSignal,
): Promise<void> {
  let stopReason: string | null = null
  for (const portion of portionsOf(open)) {
    if (signal.aborted) stopReason = STOPPED
    if (stopReason !== null) {
      show({ states: withState(portion, { state: 'failed', reason: stopReason }) })
      continue
    }
    const failure = await sendPortion(vehicleId, portion, signal)
    // If later photos were uploaded first, a retried one would end up after them.
    if (failure !== null) stopReason = EARLIER_FAILED
  }
}

/** @returns the error message if the upload failed, otherwise null. */
async function sendPortion(
  vehicleId: string,
  portion: readonly Picture[],
  signal: AbortSignal,
): Promise<string | null> {
  show({ states: withState(portion, { state: 'sending', reason: null }) })
  const size = portion.reduce((sum, { file }) => sum + file.size, 0)
  let out = 0
  const reportSent = (bytes: number) => {
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
      { signal, onSent: reportSent },
    )
    const states = new Map(batch.states)
    for (const [at, { id }] of portion.entries()) {
      const outcome = outcomes[at]
      if (outcome) states.set(id, { state: outcome.outcome, reason: outcome.reason })
    }
    const places = outcomes.flatMap(({ place }) => place ?? [])
    const before = addedTo.get(vehicleId)
    if (before) before.places.push(...places)
    else if (places.length > 0) addedTo.set(vehicleId, { places, wasLocked })
    show({ states })
    return null
  } catch (failure) {
    if (!(failure instanceof CallFailure) && !signal.aborted) throw failure
    const reason = failure instanceof CallFailure ? failure.message : STOPPED
    if (isSending()) show({ states: withState(portion, { state: 'failed', reason }) })
    return reason
  } finally {
    reportSent(size)
  }
}

const isSending = (): boolean => batch.phase === 'sending'

function offerUndoAdd(): void {
  const { photos, vehicles: many } = addedSoFar()
  if (photos === 0) return
  const text = `${count(photos, 'photo', 'photos')} added to ${count(many, 'vehicle', 'vehicles')}`
  offerUndo({ text, undo: undoAddPhotos })
}

const isOpen = (state: PictureState | undefined): boolean => state === undefined || state.state === 'failed'

function withState(some: readonly Picture[], state: PictureState): ReadonlyMap<number, PictureState> {
  return new Map([...batch.states, ...some.map(({ id }) => [id, state] as const)])
}

/** Identifies a file, to ignore files that are dropped twice. */
const identityOf = ({ name, size, lastModified }: File): string => `${name}\n${size}\n${lastModified}`

/** Reloads what shows vehicles or their files. */
async function invalidatePhotoQueries(): Promise<void> {
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
