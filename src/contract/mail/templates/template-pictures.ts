const SCHEME = 'media:'

/** The formats that every email client shows. */
export const MAIL_PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/gif'] as const

/** In bytes: one picture, and all pictures of an email together. They are embedded in every email sent. */
export const MAIL_PICTURE_LIMIT = 500_000
export const MAIL_PICTURES_LIMIT = 1_000_000

/** The URL of a media picture in an email layout, with each path segment percent-encoded. */
export function mediaAddress(path: string): string {
  return SCHEME + path.split('/').map(encodeURIComponent).join('/')
}

export function isMediaAddress(address: string): boolean {
  return address.startsWith(SCHEME)
}

/** The path in a media address, not checked for validity or access. Null if it has none. */
export function pathOfMediaAddress(address: string): string | null {
  if (!isMediaAddress(address)) return null
  try {
    return decodeURIComponent(address.slice(SCHEME.length)) || null
  } catch {
    // A stray percent sign.
    return null
  }
}
