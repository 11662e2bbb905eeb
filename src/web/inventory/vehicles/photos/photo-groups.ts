import { comparePhotoNames } from '#contract/inventory/vehicles/photo-names.ts'
import type { PhotoVehicle } from '#contract/inventory/vehicles/vehicle-photos.ts'

/** One file that somebody brought. */
export type Picture = Readonly<{ id: number; file: File }>

/** Pictures whose names mean the same vehicle, or the same ones to choose from; in the order of their names. */
export type PictureGroup = Readonly<{
  /** The numbers of its vehicles. */
  key: string
  vehicles: readonly PhotoVehicle[]
  pictures: readonly Picture[]
}>

/** What stays out, and why. */
export type LeftPicture = Readonly<{ picture: Picture; reason: string }>

export const NO_VEHICLE = 'No vehicle you see has this VIN or stock number.'
export const NO_PICTURE = 'This is no picture.'

/** The pictures by what their names mean; groups in the order in which their first picture came. */
export function groupPictures(
  pictures: readonly Picture[],
  meant: ReadonlyMap<string, readonly PhotoVehicle[]>,
): { groups: PictureGroup[]; left: LeftPicture[] } {
  const groups = new Map<string, { vehicles: readonly PhotoVehicle[]; pictures: Picture[] }>()
  const left: LeftPicture[] = []
  for (const picture of pictures) {
    const vehicles = meant.get(picture.file.name) ?? []
    if (!isPicture(picture.file)) left.push({ picture, reason: NO_PICTURE })
    else if (vehicles.length === 0) left.push({ picture, reason: NO_VEHICLE })
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

/** Some systems do not know what a picture is by its type. The server looks at its bytes. */
export function isPicture({ type, name }: Pick<File, 'type' | 'name'>): boolean {
  return type === '' ? /\.(jpe?g|png|webp|avif|gif)$/i.test(name) : type.startsWith('image/')
}

const MOST_AT_ONCE = 10
const MOST_BYTES = 24 * 1_048_576

/** The pictures in portions of one call each: a line that breaks costs no more than one of them. */
export function portionsOf(pictures: readonly Picture[]): Picture[][] {
  const portions: Picture[][] = []
  let bytes = 0
  for (const picture of pictures) {
    const last = portions.at(-1)
    if (last === undefined || last.length >= MOST_AT_ONCE || bytes + picture.file.size > MOST_BYTES) {
      portions.push([picture])
      bytes = picture.file.size
      continue
    }
    last.push(picture)
    bytes += picture.file.size
  }
  return portions
}
