import { clock } from '#server/clock.ts'
import { unavailable } from '#server/http/failure.ts'
import { makeFairShare } from '#server/threads/fair-share.ts'

type Photo = Readonly<{ name: string; type: string; body: Buffer }>
type CachedPhoto = { at: number; photo: Promise<Photo>; bytes: number }
/** When something failed, and with what. */
type Failed = { at: number; error: unknown }

/** Photos change rarely; a replaced one appears within this time. */
const KEPT_MS = 3_600_000
/** A photo that can't be loaded, and a host that doesn't answer, are not asked again within this time. */
const FAILED_MS = 60_000
const MAX_FAILED = 10_000
const MAX_BYTES = 64_000_000
/** Each loading photo can need 15 MB. A page has many, so that those of a customer and of a host wait for each other. */
const LOADING = { places: 12, placesEach: 4, mostWaiting: 200, full: unavailable }

/**
 * Keeps the photos that were loaded from other servers last, so that a busy page doesn't load each of them again for every
 * buyer, and so that strangers can't make this server load as much as they like. A slow photo host delays the photos of its
 * customers only. `isHostDown`: whether an error is the host's, and not the photo's.
 */
export function makePhotoCache(
  load: (place: string) => Promise<Photo>,
  isHostDown: (error: unknown) => boolean,
) {
  const kept = new Map<string, CachedPhoto>()
  /** By photo, and by host. */
  const failed = new Map<string, Failed>()
  const inPlace = makeFairShare(LOADING)
  let total = 0
  const forget = (place: string): void => {
    total -= kept.get(place)?.bytes ?? 0
    kept.delete(place)
  }
  const refuseFailed = (...names: readonly string[]): void => {
    for (const name of names) {
      const known = failed.get(name)
      const age = clock.now() - (known?.at ?? 0)
      if (known !== undefined && age >= 0 && age < FAILED_MS) throw known.error
    }
  }
  const noteFailed = (name: string, error: unknown): void => {
    if (failed.size >= MAX_FAILED) failed.clear()
    failed.set(name, { at: clock.now(), error })
  }
  /** Loads a photo in its turn, unless its host stopped answering while it waited. */
  const loadInTurn = (place: string, customerId: string): Promise<Photo> => {
    const host = hostOf(place)
    const work = async (): Promise<Photo> => {
      refuseFailed(host)
      try {
        return await load(place)
      } catch (error) {
        noteFailed(isHostDown(error) ? host : place, error)
        throw error
      }
    }
    return inPlace(customerId, work, host)
  }

  /** @throws Failure 503 if too many of the customer's photos are waiting, or what `load` throws */
  return async (place: string, customerId: string): Promise<Photo> => {
    const known = kept.get(place)
    const age = clock.now() - (known?.at ?? 0)
    if (known !== undefined && age >= 0 && age < KEPT_MS) {
      // The order of the map is the order of use.
      kept.delete(place)
      kept.set(place, known)
      return known.photo
    }
    refuseFailed(place, hostOf(place))
    if (known !== undefined) forget(place)
    const entry: CachedPhoto = { at: clock.now(), photo: loadInTurn(place, customerId), bytes: 0 }
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
    }
  }
}

const hostOf = (place: string): string => (URL.canParse(place) ? new URL(place).host : place)
