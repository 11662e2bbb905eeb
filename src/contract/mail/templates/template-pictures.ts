const SCHEME = 'media:'

/** What every reader of mails shows. */
export const MAIL_PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/gif'] as const

/** In bytes: one picture, and all of a mail together. Each goes out with every mail. */
export const MAIL_PICTURE_LIMIT = 500_000
export const MAIL_PICTURES_LIMIT = 1_000_000

/** How the layout of a mail names a picture of the media; each name is written as in an address. */
export function mediaAddress(path: string): string {
  return SCHEME + path.split('/').map(encodeURIComponent).join('/')
}

export function isMediaAddress(address: string): boolean {
  return address.startsWith(SCHEME)
}

/** The path that an address names, as it was written: whether one may go there is not looked at. Null: it names none. */
export function pathOfMediaAddress(address: string): string | null {
  if (!isMediaAddress(address)) return null
  try {
    return decodeURIComponent(address.slice(SCHEME.length)) || null
  } catch {
    // A percent sign that begins nothing.
    return null
  }
}
