import { AskedWidth } from '#contract/files/picture-widths.ts'
import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { VEHICLE_STATUSES } from '../vehicle-choices.ts'

/** Maximum number of file names in one call. */
export const MAX_PHOTO_NAMES = 500
/** Maximum number of photos in one upload. */
export const MAX_PHOTOS_SENT = 50
const MAX_UNDO_VEHICLES = 1_000

/** A vehicle that matches a photo's file name. */
export const PhotoVehicle = z.object({
  id: z.string(),
  /** "2024 Ford F-150 XLT". */
  name: z.string(),
  stock: z.string().nullable(),
  vin: z.string().nullable(),
  lotName: z.string(),
  status: z.enum(VEHICLE_STATUSES),
  photoCount: z.number().int(),
})
export type PhotoVehicle = z.infer<typeof PhotoVehicle>

/** The result for one photo; `place` is its path if it was added, `reason` the error message otherwise. */
export const PhotoOutcome = z.object({
  name: z.string(),
  outcome: z.enum(['added', 'duplicate', 'refused']),
  place: z.string().nullable(),
  reason: z.string().nullable(),
})
export type PhotoOutcome = z.infer<typeof PhotoOutcome>

const count = z.number().int()
/** How far the photos of a vehicle that are on other servers are copied. They are copied while it is published. */
export const PhotoCopies = z.object({
  isPublished: z.boolean(),
  /** Photos on other servers, and those of which there is a copy. */
  photos: count,
  copied: count,
  /** To be copied for the first time. */
  waiting: count,
  /** Photos that could not be copied, by reason, and when the first of them is tried again. */
  problems: z.array(
    z.object({ host: z.string(), reason: z.string(), photos: count, nextAt: Instant.nullable() }),
  ),
  /** Set when waiting photos are not copied because the customer's limit of photos or bytes is reached. */
  limit: z.object({ of: z.enum(['photos', 'bytes']), most: z.number() }).nullable(),
})
export type PhotoCopies = z.infer<typeof PhotoCopies>

const CHANGE = can(Func.vehicles, Opr.update)

/** Bulk photo upload; photos are matched to vehicles by file name. */
export const vehiclePhotos = {
  view: endpoint({
    method: 'GET',
    path: '/api/inventory/vehicle-photo',
    kind: 'download',
    outside: true,
    allow: can(Func.vehicles, Opr.read),
    summary:
      "Returns a photo that a vehicle has by URL. The server fetches it by HTTPS from the photo's host, so that the browser contacts no other server. Only JPEG, PNG, GIF, WebP and AVIF up to 15 MB. With `w`, as a WebP of at most that width and height in pixels.",
    input: z.strictObject({
      id: Id,
      /** The URL, exactly as in the vehicle's photos. */
      place: z.string().max(4_000, 'A URL may have at most 4000 characters.'),
      w: AskedWidth.optional(),
    }),
  }),
  copies: endpoint({
    method: 'GET',
    path: '/api/inventory/photo-copies/{id}',
    allow: can(Func.vehicles, Opr.read),
    summary:
      "Returns how many of a vehicle's photos on other servers are copied, waiting and failed, and why. Photos of published vehicles are copied in the background.",
    input: z.strictObject({ id: Id }),
    output: PhotoCopies,
  }),
  match: endpoint({
    method: 'POST',
    path: '/api/inventory/match-photos',
    allow: CHANGE,
    writes: false,
    summary:
      'Matches photo file names to vehicles by VIN or stock number, with or without a trailing number. A stock number used on several lots matches several vehicles. Sold and archived vehicles match only if no other vehicle does.',
    input: z.strictObject({
      names: z
        .array(z.string('A name must be text.').max(1_000, 'A name may have at most 1000 characters.'), {
          error: 'Names must be a list.',
        })
        .min(1, 'Add at least one photo.')
        .max(MAX_PHOTO_NAMES, `You can look up at most ${MAX_PHOTO_NAMES} names at once.`),
    }),
    output: z.object({
      vehicles: z.array(PhotoVehicle),
      /** In the order of the names. */
      matches: z.array(z.object({ name: z.string(), vehicleIds: z.array(z.string()) })),
    }),
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/inventory/add-photos',
    kind: 'upload',
    allow: CHANGE,
    summary:
      "Adds photos after the vehicle's existing ones, in the order sent, and locks its photos so that feeds keep them. Photos are processed independently: a file that isn't an image, is too large or is a duplicate does not affect the others.",
    input: z.strictObject({ id: Id }),
    output: z.object({
      /** In the order in which they were sent. */
      outcomes: z.array(PhotoOutcome),
      /** Whether the photos were already locked. */
      wasLocked: z.boolean(),
    }),
  }),
  undoUpload: endpoint({
    method: 'POST',
    path: '/api/inventory/take-photos-back',
    outside: true,
    allow: CHANGE,
    summary:
      'Removes added photos from their vehicles and keeps any other changes made in the meantime. Also deletes the files if the caller may delete files.',
    input: z.strictObject({
      vehicles: z
        .array(
          z.strictObject({
            id: Id,
            places: z.array(z.string().max(900)).min(1, 'Add at least one photo.').max(200),
            /** Unlocks the photos so that feeds can change them again. */
            unlocks: z.boolean('This must be true or false.'),
          }),
        )
        .min(1, 'Select at least one vehicle.')
        .max(MAX_UNDO_VEHICLES, `At most ${MAX_UNDO_VEHICLES} vehicles can be changed at once.`),
    }),
    /** Number of photos removed. */
    output: z.object({ taken: z.number().int() }),
  }),
}
