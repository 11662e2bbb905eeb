/** The widths in pixels in which public pictures are made. Smaller ones stay as they are. */
export const PICTURE_WIDTHS = [320, 640, 1024, 1600] as const
export type PictureWidth = (typeof PICTURE_WIDTHS)[number]

/** The address of a public picture in one width. */
export const pictureIn = (url: string, width: PictureWidth): string =>
  `${url}${url.includes('?') ? '&' : '?'}w=${width}`

/** The widths of a public picture, from which a browser chooses: the `srcset` of an image. */
export const pictureSet = (url: string): string =>
  PICTURE_WIDTHS.map((width) => `${pictureIn(url, width)} ${width}w`).join(', ')
