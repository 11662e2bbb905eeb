import { comparePhotoNames } from '#contract/vehicles/vehicles/photos/photo-names.ts'
import type { PhotoVehicle } from '#contract/vehicles/vehicles/photos/vehicle-photos.ts'

/** One file chosen by the user. */
export type Picture = Readonly<{ id: number; file: File }>

/** Photos whose names match the same vehicle or the same set of vehicles, sorted by name. */
export type PictureGroup = Readonly<{
  /** The IDs of its vehicles. */
  key: string
  vehicles: readonly PhotoVehicle[]
  pictures: readonly Picture[]
}>

/** A skipped file with the reason. */
export type SkippedPicture = Readonly<{ picture: Picture; reason: string }>

export const NO_MATCH = 'No vehicle you have access to has this VIN or stock number.'
export const NOT_AN_IMAGE = "This file isn't an image."

/** Groups photos by matching vehicles, in the order of each group's first photo. */
export function groupPictures(
  pictures: readonly Picture[],
  matches: ReadonlyMap<string, readonly PhotoVehicle[]>,
): { groups: PictureGroup[]; left: SkippedPicture[] } {
  const groups = new Map<string, { vehicles: readonly PhotoVehicle[]; pictures: Picture[] }>()
  const left: SkippedPicture[] = []
  for (const picture of pictures) {
    const vehicles = matches.get(picture.file.name) ?? []
    if (!isPicture(picture.file)) left.push({ picture, reason: NOT_AN_IMAGE })
    else if (vehicles.length === 0) left.push({ picture, reason: NO_MATCH })
    else {
      const key = vehicles.map(({ id }) => id).join(' ')
      const group = groups.get(key) ?? { vehicles, pictures: [] }
      group.pictures.push(picture)
      groups.set(key, group)
    }
  }
  return {
    groups: Array.from(groups, ([key, group]) => ({
      key,
      vehicles: group.vehicles,
      pictures: group.pictures.toSorted((one, other) => comparePhotoNames(one.file.name, other.file.name)),
    })),
    left,
  }
}

/** Some systems report no type for image files. The server checks the content. */
export function isPicture({ type, name }: Pick<File, 'type' | 'name'>): boolean {
  return type === '' ? /\.(jpe?g|png|webp|avif|gif)$/i.test(name) : type.startsWith('image/')
}

const MAX_AT_ONCE = 10
const MAX_BYTES = 24 * 1_048_576

/** Splits photos into portions of one request each, so that a lost connection affects only one portion. */
export function portionsOf(pictures: readonly Picture[]): Picture[][] {
  const portions: Picture[][] = []
  let bytes = 0
  for (const picture of pictures) {
    const last = portions.at(-1)
    if (last === undefined || last.length >= MAX_AT_ONCE || bytes + picture.file.size > MAX_BYTES) {
      portions.push([picture])
      bytes = picture.file.size
      continue
    }
    last.push(picture)
    bytes += picture.file.size
  }
  return portions
}
