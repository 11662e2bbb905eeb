import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { VEHICLE_STATUSES } from './vehicle-choices.ts'

/** So many names one call looks up. */
export const MAX_PHOTO_NAMES = 500
/** So many pictures one call takes in. */
export const MAX_PHOTOS_SENT = 50
const MAX_TAKEN_BACK = 1_000

/** A vehicle that the name of a picture means, or may mean. */
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

/** What became of a picture; `place` is its path once it is added, `reason` why it is not. */
export const PhotoOutcome = z.object({
  name: z.string(),
  outcome: z.enum(['added', 'duplicate', 'refused']),
  place: z.string().nullable(),
  reason: z.string().nullable(),
})
export type PhotoOutcome = z.infer<typeof PhotoOutcome>

const CHANGE = can(Func.vehicles, Opr.update)

/** Pictures for many vehicles, which their names tell. */
export const vehiclePhotos = {
  match: endpoint({
    method: 'POST',
    path: '/api/inventory/match-photos',
    allow: CHANGE,
    writes: false,
    summary:
      'The vehicles that names of pictures mean by VIN or stock number, with a number behind it or without. Several where a stock number stands on several lots; those that are gone only where no other is meant.',
    input: z.strictObject({
      names: z
        .array(z.string('A name must be text.').max(1_000, 'A name may have at most 1000 characters.'), {
          error: 'Names must be a list.',
        })
        .min(1, 'Name at least one picture.')
        .max(MAX_PHOTO_NAMES, `At most ${MAX_PHOTO_NAMES} names are looked up at once.`),
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
      'Puts pictures behind those a vehicle has, in the order in which they are sent, and locks its photos against feeds. Each stands by itself: one that is no picture, too large or there already does not hold up the others.',
    input: z.strictObject({ id: Id }),
    output: z.object({
      /** In the order in which they were sent. */
      outcomes: z.array(PhotoOutcome),
      /** Whether feeds left its photos alone before. */
      wasLocked: z.boolean(),
    }),
  }),
  undoJob: endpoint({
    method: 'POST',
    path: '/api/inventory/take-photos-back',
    outside: true,
    allow: CHANGE,
    summary:
      'Takes pictures that were added out of their vehicles again, whatever else was changed there meanwhile. Their files go too where the caller may delete files.',
    input: z.strictObject({
      vehicles: z
        .array(
          z.strictObject({
            id: Id,
            places: z.array(z.string().max(900)).min(1, 'Name at least one picture.').max(200),
            /** Feeds may change its photos again. */
            unlocks: z.boolean('Say true or false.'),
          }),
        )
        .min(1, 'Name at least one vehicle.')
        .max(MAX_TAKEN_BACK, `At most ${MAX_TAKEN_BACK} vehicles go at once.`),
    }),
    /** How many pictures were taken out. */
    output: z.object({ taken: z.number().int() }),
  }),
}
