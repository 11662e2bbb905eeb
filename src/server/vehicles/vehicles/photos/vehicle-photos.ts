import { sql } from 'kysely'
import { z } from 'zod'
import { files, type MediaUse, type MediaUses } from '#contract/files/files.ts'
import { readPath } from '#contract/files/names.ts'
import { MAX_PHOTOS } from '#contract/vehicles/vehicles/vehicle-input.ts'
import {
  MAX_PHOTOS_SENT,
  type PhotoOutcome,
  type vehiclePhotos,
} from '#contract/vehicles/vehicles/photos/vehicle-photos.ts'
import { Photo, type VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import {
  discardPictures,
  publishPicture,
  type LogFileEvent,
  type PictureIntake,
  type PublicPictures,
  type StagedPicture,
} from '#server/files/index.ts'
import type { Outside } from '#server/database/outside-transaction.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { Failure, forbidden, noneFound, notFound } from '#server/http/failure.ts'
import { Download } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import { lockVehicle, writeVehicle } from '../edit-vehicle.ts'
import type { CopiedPhotos } from './copies/copied-photos.ts'
import type { CopyLimits } from './copies/copy-photo.ts'
import { readPhotoCopies } from './copies/read-photo-copies.ts'
import { fetchPhoto, isHostDown, namePhotoFile } from './fetch-photo.ts'
import { matchNames } from './match-photos.ts'
import { readVehicle } from '../vehicles.ts'

/** A photo that another server replaced appears within this time. */
const REMOTE_SECONDS = 3_600
const DUPLICATE = 'This photo is already on the vehicle.'
const ROOT = { container: 'media', root: [] }

/** The media folder for a vehicle's uploaded photos. */
const folderOf = (id: string): readonly string[] => ['Vehicles', `Vehicle ${id}`]

type PhotoParts = {
  allowsPrivate: boolean
  pictures: PublicPictures
  copies: CopiedPhotos
  copyLimits: CopyLimits
}

/** Bulk photo upload: match file names, add photos, and undo. */
export function vehiclePhotoHandlers(
  picturesOf: (outside: Outside) => PictureIntake,
  note: LogFileEvent,
  parts: PhotoParts,
): Handlers<typeof vehiclePhotos> {
  return {
    async view({ inTenant, actor, outside, input: { id, place, w: width } }) {
      // Row level security limits this to the vehicles the user sees.
      const vehicle = await inTenant((db) =>
        db.selectFrom('vehicles').select('photos').where('id', '=', id).executeTakeFirst(),
      )
      if (vehicle === undefined) throw notFound('Vehicle')
      // Only the vehicle's own photos: this endpoint doesn't fetch arbitrary URLs.
      const photos = z.array(Photo).parse(vehicle.photos)
      const isOwnUrl = photos.some((photo) => photo.kind === 'address' && photo.place === place)
      if (!isOwnUrl) throw notFound('Photo')
      return showPhoto({ ...parts, outside }, { customerId: actor.customerId, place, width })
    },

    copies: ({ db, actor, input }) => readPhotoCopies(db, actor.customerId, input.id, parts.copyLimits),

    match: ({ db, actor, input }) => matchNames(db, actor, input.names),

    async add({ actor, inTenant, outside, files: coming, input: { id } }) {
      const pictures = picturesOf(outside)
      if (!actor.may(files.upload.allow)) throw forbidden("You don't have permission to upload files.")
      // Checked before the upload is read.
      await inTenant((db) => readVehicle(db, actor, id))
      const { customerId } = actor
      const staged = await pictures.stage(customerId, folderOf(id), coming)
      const published: string[] = []
      try {
        return await inTenant(async (db) => {
          const before = await lockVehicle(db, actor, { id })
          const outcomes: PhotoOutcome[] = []
          const limits = { left: MAX_PHOTOS - before.photos.length, sent: MAX_PHOTOS_SENT }
          const isDuplicate = duplicateFinder(pictures, customerId, before)
          for (const one of staged) {
            const reason = await reasonAgainst(one, { limits, isDuplicate })
            outcomes.push(reason ?? (await publish(one, published)))
          }
          if (published.length > 0) {
            const added = published.map((place) => ({ kind: 'file' as const, place, alt: '' }))
            const change = { photos: [...before.photos, ...added], locks: {}, locksEdits: true }
            await writeVehicle(db, actor, before, change)
            const path = published[0] ?? ''
            await note(actor, {
              call: 'upload',
              root: ROOT,
              path,
              what: 'uploaded',
              more: { paths: published },
            })
          }
          return { outcomes, wasLocked: before.locked.includes('photos') }
        })
      } catch (error) {
        await pictures.remove(customerId, published.map(namesOf))
        throw error
      } finally {
        await discardPictures(staged)
      }
    },

    async undoUpload({ actor, inTenant, outside, input: { vehicles } }) {
      const taken = await inTenant(async (db) => {
        const places: string[] = []
        // Always in the same order, to avoid deadlocks between users who undo the same uploads.
        const inOrder = vehicles.toSorted((one, other) => Number(BigInt(one.id) - BigInt(other.id)))
        let isAnyFound = false
        for (const { id, places: wanted, unlocks } of inOrder) {
          const before = await lockVehicle(db, actor, { id }).catch(nullIfNotFound)
          if (before === null) continue
          isAnyFound = true
          const out = before.photos.filter(({ kind, place }) => kind === 'file' && wanted.includes(place))
          if (out.length === 0) continue
          const photos = before.photos.filter((photo) => !out.includes(photo))
          const locks = unlocks ? { photos: false } : {}
          await writeVehicle(db, actor, before, { photos, locks, locksEdits: false })
          places.push(...out.map(({ place }) => place).filter((place) => isInFolder(id, place)))
        }
        if (!isAnyFound) throw noneFound('vehicles')
        return places
      })
      if (taken.length > 0 && actor.may(files.delete.allow)) {
        await picturesOf(outside).remove(actor.customerId, taken.map(namesOf))
        const path = taken[0] ?? ''
        await note(actor, { call: 'delete', root: ROOT, path, what: 'deleted', more: { paths: taken } })
      }
      return { taken: taken.length }
    },
  }
}

/** A photo of another server, or a thumbnail of it: of its copy, or loaded if there is none. */
async function showPhoto(
  { copies, pictures, allowsPrivate, outside }: PhotoParts & { outside: Outside },
  { width, ...wanted }: { customerId: string; place: string; width: number | undefined },
): Promise<Download> {
  const load = () => fetchPhoto(wanted.place, { isGuarded: !allowsPrivate })
  if (width === undefined) {
    const copy = await copies.original(outside, wanted)
    return copy === null ? load() : wholePhoto(wanted.place, copy)
  }
  const form = { customerId: wanted.customerId, width, type: 'image/webp' as const }
  const bytes =
    (await copies.picture(outside, { ...wanted, ...form })) ??
    (await pictures.read({
      ...form,
      original: wanted.place,
      freshMs: REMOTE_SECONDS * 1_000,
      load: async () => (await load()).body,
      isPassing: isHostDown,
    }))
  if (bytes === null) throw notFound('Photo')
  return asThumbnail(bytes)
}

const asThumbnail = (body: Buffer): Download =>
  new Download({
    name: 'photo.webp',
    type: 'image/webp',
    body,
    privateSeconds: REMOTE_SECONDS,
    isInline: true,
  })

const wholePhoto = (place: string, { type, bytes }: { type: string; bytes: Buffer }): Download =>
  new Download({ name: namePhotoFile(place), type, body: bytes, privateSeconds: REMOTE_SECONDS })

type Limits = { left: number; sent: number }
type IsDuplicate = (picture: { fingerprint: string; size: number }) => Promise<boolean>

/** The outcome of a photo that can't be added; null if it can, which counts it toward the limits. */
async function reasonAgainst(
  one: StagedPicture,
  { limits, isDuplicate }: { limits: Limits; isDuplicate: IsDuplicate },
): Promise<PhotoOutcome | null> {
  const { name } = one
  if (!('file' in one)) return { name, outcome: 'refused', place: null, reason: one.reason }
  if (limits.sent <= 0) return refuse(name, `You can upload at most ${MAX_PHOTOS_SENT} photos at once.`)
  if (await isDuplicate(one)) return { name, outcome: 'duplicate', place: null, reason: DUPLICATE }
  if (limits.left <= 0) return refuse(name, `A vehicle may have at most ${MAX_PHOTOS} photos.`)
  limits.left -= 1
  limits.sent -= 1
  return null
}

async function publish(one: StagedPicture, published: string[]): Promise<PhotoOutcome> {
  if (!('file' in one)) return refuse(one.name, one.reason)
  const reason = await publishPicture(one.file)
  if (reason !== null) return refuse(one.name, reason)
  published.push(one.path)
  return { name: one.name, outcome: 'added', place: one.path, reason: null }
}

const refuse = (name: string, reason: string): PhotoOutcome => ({
  name,
  outcome: 'refused',
  place: null,
  reason,
})

/** Checks whether a vehicle already has a photo with identical bytes. Every checked photo counts as present from then on. */
function duplicateFinder(pictures: PictureIntake, customerId: string, vehicle: VehicleRecord): IsDuplicate {
  const paths = vehicle.photos.filter(({ kind }) => kind === 'file').map(({ place }) => namesOf(place))
  const seen = new Set<string>()
  return async ({ fingerprint, size }) => {
    if (seen.has(fingerprint)) return true
    seen.add(fingerprint)
    for (const path of paths) {
      if ((await pictures.fingerprintOf(customerId, path, size)) === fingerprint) return true
    }
    return false
  }
}

function namesOf(place: string): readonly string[] {
  const read = readPath(place)
  return 'names' in read ? read.names : []
}

const isInFolder = (id: string, place: string): boolean => place.startsWith(`${folderOf(id).join('/')}/`)

function nullIfNotFound(error: unknown): null {
  if (error instanceof Failure && error.status === 404) return null
  throw error
}

/** The most vehicles that are named. */
const MOST_NAMED = 50

/** The vehicles that show files of the media, or files in these folders. Those out of the caller's reach are only counted. */
export async function findPhotoUses(db: Database, paths: readonly string[]): Promise<MediaUses> {
  const { rows } = await sql<{ total: number }>`select count_photo_uses(${paths}::text[]) as total`.execute(
    db,
  )
  const total = rows[0]?.total ?? 0
  if (total === 0) return { total, uses: [] }
  const named = await sql<MediaUse>`
    select 'vehicle' as kind, v.id::text, concat_ws(' ', v.year, v.make, v.model, v.stock) as title from vehicles v
    where v.photos @? '$[*] ? (@.kind == "file")'
      and exists (select from jsonb_array_elements(v.photos) p, unnest(${paths}::text[]) f (path)
        where p ->> 'kind' = 'file' and (p ->> 'place' = f.path or starts_with(p ->> 'place', f.path || '/')))
    order by v.id desc limit ${MOST_NAMED}`.execute(db)
  return { total, uses: named.rows }
}
