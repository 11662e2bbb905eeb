import type { PhotoCopies } from '#contract/vehicles/vehicles/photos/vehicle-photos.ts'
import type { Photo } from '#contract/vehicles/vehicles/vehicles.ts'
import { count, formatAgo } from '#web/ui/layout/date-format.ts'

/** The name of a photo: its alternative text, or else the last part of its URL or path. */
export function namePhoto({ alt, place }: Photo): string {
  if (alt !== '') return alt
  const [path = ''] = place.split(/[?#]/)
  return path.split('/').findLast((part) => part !== '') ?? place
}

/** The host of a photo URL: "pictures.example". */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address
}

/** Parses pasted URLs, one per line, without those the vehicle already has. */
export function readAddresses(text: string, photos: readonly Photo[]): { added: Photo[]; wrong: string[] } {
  const lines = [...new Set(text.split(/\s+/).filter((line) => line !== ''))]
  const isAddress = (line: string) => URL.canParse(line) && /^https?:$/.test(new URL(line).protocol)
  const known = new Set(photos.map(({ place }) => place))
  return {
    added: lines
      .filter((line) => isAddress(line) && !known.has(line))
      .map((place) => ({ kind: 'address', place, alt: '' })),
    wrong: lines.filter((line) => !isAddress(line)),
  }
}

/** How far the photos on other servers are copied, in sentences. */
export function describeCopies(copies: PhotoCopies, now = new Date()): string[] {
  const { isPublished, photos, copied, waiting, problems, limit } = copies
  const all = count(photos, 'photo', 'photos')
  const done =
    copied === photos ? `Copied: ${all} on other servers.` : `Copied: ${copied} of ${all} on other servers.`
  if (!isPublished) return [done, 'Photos on other servers are copied while the vehicle is published.']
  const failed = problems.map(({ host, reason, photos: number, nextAt }) => {
    const server = host === '' ? '' : `, ${host}`
    const again = nextAt === null ? '' : ` The next attempt is ${whenDue(nextAt, now)}.`
    return `Failed: ${count(number, 'photo', 'photos')}${server}. ${reason}${again}`
  })
  if (waiting === 0) return [done, ...failed]
  if (limit === null) return [done, `Waiting: ${waiting}.`, ...failed]
  return [
    done,
    `Not copied: ${waiting}. Your company's limit of ${describeLimit(limit)} is reached.`,
    ...failed,
  ]
}

const whenDue = (at: string, now: Date): string =>
  Date.parse(at) <= now.getTime() ? 'due' : formatAgo(at, now).replace(/\.$/, '')

const describeLimit = ({ of, most }: NonNullable<PhotoCopies['limit']>): string =>
  of === 'photos'
    ? count(most, 'copied photo', 'copied photos')
    : `${Math.round(most / 1_048_576).toLocaleString()} MB for copied photos`
