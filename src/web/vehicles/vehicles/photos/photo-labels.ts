import type { Photo } from '#contract/vehicles/vehicles/vehicles.ts'

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
