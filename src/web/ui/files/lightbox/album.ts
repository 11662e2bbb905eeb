/** One picture (specification section 3). */
export type AlbumItem = {
  /** URL of the picture. */
  src: string
  caption: string
  /** URL for the download; defaults to the picture. */
  downloadUrl?: string
}

/** Specification section 9. */
export const FADE_MS = 700
export const ZOOM_FACTOR = 1.5

/** @throws Error if the album is empty or an item has no source (specification sections 5 and 8). */
export function checkAlbum(album: readonly AlbumItem[]): readonly AlbumItem[] {
  if (album.length === 0) throw new Error('The album has no pictures.')
  const without = album.findIndex(({ src }) => src.trim() === '')
  if (without >= 0) throw new Error(`Picture ${without + 1} of the album has no source.`)
  return album
}
