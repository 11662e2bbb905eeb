import type { Photo } from '#contract/inventory/vehicles/vehicles.ts'

/** What a photo is called: what it shows, else the last part of its address or path. */
export function namePhoto({ alt, place }: Photo): string {
  if (alt !== '') return alt
  const [path = ''] = place.split(/[?#]/)
  return path.split('/').findLast((part) => part !== '') ?? place
}

/** "pictures.example": where a photo on the web lies. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address
}

/** Addresses as somebody pastes them, one to a line; those that are there already are left out. */
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
