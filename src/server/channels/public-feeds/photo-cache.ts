import { clock } from '#server/clock.ts'

type Photo = Readonly<{ name: string; type: string; body: Buffer }>
type CachedPhoto = { at: number; photo: Promise<Photo>; bytes: number }

/** Photos change rarely; a replaced one appears within this time. */
const KEPT_MS = 3_600_000
const MAX_BYTES = 64_000_000
/** Each loading photo can need 15 MB. */
const MAX_LOADING = 8

/** Too many photos are being loaded at this moment. */
export class PhotosBusy extends Error {}

/**
 * Keeps the photos that were loaded from other servers last, so that a busy page doesn't load each of them again for every
 * buyer, and so that strangers can't make this server load as much as they like.
 */
export function makePhotoCache(load: (place: string) => Promise<Photo>) {
  const kept = new Map<string, CachedPhoto>()
  let loading = 0
  let total = 0
  const forget = (place: string): void => {
    total -= kept.get(place)?.bytes ?? 0
    kept.delete(place)
  }

  /** @throws PhotosBusy, or what `load` throws */
  return async (place: string): Promise<Photo> => {
    const known = kept.get(place)
    const age = clock.now() - (known?.at ?? 0)
    if (known !== undefined && age >= 0 && age < KEPT_MS) {
      // The order of the map is the order of use.
      kept.delete(place)
      kept.set(place, known)
      return known.photo
    }
    if (loading >= MAX_LOADING) throw new PhotosBusy('Too many photos are being loaded.')
    if (known !== undefined) forget(place)
    loading += 1
    const entry: CachedPhoto = { at: clock.now(), photo: load(place), bytes: 0 }
    kept.set(place, entry)
    try {
      const photo = await entry.photo
      if (kept.get(place) === entry) {
        entry.bytes = photo.body.length
        total += entry.bytes
      }
      for (const [oldest] of kept) {
        if (total <= MAX_BYTES) break
        forget(oldest)
      }
      return photo
    } catch (error) {
      if (kept.get(place) === entry) forget(place)
      throw error
    } finally {
      loading -= 1
    }
  }
}
