/** Of the address of a photo: its path, and what a query asks a picture server for. */
const FORMAT = /\.([a-z0-9]{3,4})$/i
const ASKED = /[?&](?:format|fm|ext|output)=([a-z0-9]{3,4})/i

function formatOf(place: string): string {
  const [path = ''] = place.split(/[?#]/)
  return (ASKED.exec(place)?.[1] ?? FORMAT.exec(path)?.[1] ?? '').toLowerCase()
}

/**
 * Whether a photo of another server is in a format that receivers refuse, and that this server can turn into a JPEG. Sources: Google,
 * image specifications of vehicle ads (GIF, JPEG, PNG, BMP and TIFF); Meta, catalogs (JPEG and PNG).
 */
export const isConvertedPicture = (place: string): boolean =>
  ['webp', 'avif', 'svg'].includes(formatOf(place))

/** Whether no receiver takes a photo, and this server can't read it either: what phones store, and JPEG XL. */
export const isRefusedPicture = (place: string): boolean => ['heic', 'heif', 'jxl'].includes(formatOf(place))
