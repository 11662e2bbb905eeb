import { z } from 'zod'

/** The widths in pixels in which public pictures are made. Smaller ones stay as they are. */
export const PICTURE_WIDTHS = [320, 640, 1024, 1600] as const
export type PictureWidth = (typeof PICTURE_WIDTHS)[number]

/** A picture that is in the document itself has one width. */
const isInline = (url: string): boolean => url.startsWith('data:')

/** The address of a public picture in one width. */
export const pictureIn = (url: string, width: PictureWidth): string =>
  isInline(url) ? url : `${url}${url.includes('?') ? '&' : '?'}w=${width}`

/** The widths of a public picture, from which a browser chooses: the `srcset` of an image. */
export const pictureSet = (url: string): string =>
  isInline(url) ? '' : PICTURE_WIDTHS.map((width) => `${pictureIn(url, width)} ${width}w`).join(', ')

/** The width that is asked for in an address: `w=320`. */
export const AskedWidth = z
  .enum(PICTURE_WIDTHS.map(String), 'Choose 320, 640, 1024 or 1600.')
  .transform(Number)
