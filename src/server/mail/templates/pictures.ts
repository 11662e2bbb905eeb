import {
  isMediaAddress,
  MAIL_PICTURE_LIMIT,
  MAIL_PICTURE_TYPES,
  MAIL_PICTURES_LIMIT,
  pathOfMediaAddress,
} from '#contract/mail/templates/template-pictures.ts'
import type { AttachedPicture } from '#server/outside/smtp.ts'

/** Reads a file of a customer's media; null if it doesn't exist or is larger than `most` bytes. */
export type ReadPicture = (
  customerId: string,
  path: string,
  most: number,
) => Promise<{ name: string; type: string; bytes: Buffer } | null>

type Picture = { address: string; name: string; type: string; bytes: Buffer }
type FoundPictures = { pictures: Picture[]; problems: string[] }

const SOURCE = /(\ssrc=")([^"]*)(")/i
const ALT = /\salt="([^"]*)"/i

/** Replaces the source of each media picture with the result of `put`; null replaces the picture with its alt text. */
function replaceImages(html: string, put: (address: string) => string | null): string {
  return replaceTags(html, (image) => {
    const address = SOURCE.exec(image)?.[2] ?? ''
    if (!isMediaAddress(address)) return image
    const other = put(address)
    if (other === null) return ALT.exec(image)?.[1] ?? ''
    return image.replace(SOURCE, (_, start: string, _old, end: string) => start + other + end)
  })
}

/**
 * Replaces each `img` tag. Looks at each character once: a pattern would begin again at every tag of a text in which none is
 * closed, and so keep the server busy for hours.
 */
function replaceTags(html: string, put: (image: string) => string): string {
  const start = /<img\b/gi
  let [done, at] = ['', 0]
  for (let found = start.exec(html); found !== null; found = start.exec(html)) {
    const end = endOfTag(html, start.lastIndex)
    // Nothing after it is a tag.
    if (end === null) break
    done += html.slice(at, found.index) + put(html.slice(found.index, end))
    at = end
    start.lastIndex = end
  }
  return done + html.slice(at)
}

/** The position after the end of a tag; null if it isn't closed. Attributes can contain ">". */
function endOfTag(html: string, from: number): number | null {
  let isQuoted = false
  for (let at = from; at < html.length; at += 1) {
    const sign = html[at]
    if (sign === '"') isQuoted = !isQuoted
    else if (sign === '>' && !isQuoted) return at + 1
  }
  return null
}

/** Reads each media picture in an email once, within the limits for type and size. */
async function findPictures(
  html: string,
  read: (path: string) => ReturnType<ReadPicture>,
): Promise<FoundPictures> {
  const addresses = new Set<string>()
  replaceImages(html, (address) => {
    addresses.add(address)
    return null
  })
  const found: FoundPictures = { pictures: [], problems: [] }
  let total = 0
  for (const address of addresses) {
    const path = pathOfMediaAddress(address)
    const file = path === null ? null : await read(path)
    const type = MAIL_PICTURE_TYPES.find((one) => one === file?.type)
    total += file?.bytes.length ?? 0
    if (file === null) {
      found.problems.push(`Media has no picture ${path ?? address}, or it's larger than ${SIZE}.`)
    } else if (type === undefined) {
      found.problems.push(`${file.name} isn't a PNG, JPEG or GIF. Some email clients can't show it.`)
    } else if (total > MAIL_PICTURES_LIMIT) {
      found.problems.push(`Pictures can total at most ${MAIL_PICTURES_LIMIT / 1000} kB per email.`)
    } else found.pictures.push({ address, name: file.name, type, bytes: file.bytes })
  }
  return found
}
const SIZE = `${MAIL_PICTURE_LIMIT / 1000} kB`

/**
 * Inlines the media pictures for a preview, and reports those that can't be embedded.
 * @param read null if the user can't read media: then no picture is read.
 */
export async function showPictures(
  html: string,
  customerId: string,
  read: ReadPicture | null,
): Promise<{ html: string; problems: string[] }> {
  const { pictures, problems } = await findPictures(
    html,
    async (path) => (await read?.(customerId, path, MAIL_PICTURE_LIMIT)) ?? null,
  )
  const shown = replaceImages(html, (address) => {
    const picture = pictures.find((one) => one.address === address)
    return picture ? `data:${picture.type};base64,${picture.bytes.toString('base64')}` : null
  })
  const isElsewhere = /["'(]\s*media:/i.test(shown)
  const elsewhere = 'A media picture can only be used in the src of mj-image or img.'
  return { html: shown, problems: isElsewhere ? [...problems, elsewhere] : problems }
}

/**
 * Prepares an email for sending: embeds its media pictures as attachments referenced by content ID. A missing picture is
 * replaced with its alt text, and never delays an email.
 */
export async function attachPictures(
  html: string,
  customerId: string,
  read: ReadPicture,
): Promise<{ html: string; pictures: AttachedPicture[] }> {
  const { pictures } = await findPictures(html, (path) =>
    read(customerId, path, MAIL_PICTURE_LIMIT).catch(() => null),
  )
  const numbered = pictures.map(({ address, name, type, bytes }, at) => {
    return { address, attached: { id: `picture-${at + 1}@forecourt.invalid`, name, type, bytes } }
  })
  return {
    html: replaceImages(html, (address) => {
      const picture = numbered.find((one) => one.address === address)
      return picture ? `cid:${picture.attached.id}` : null
    }),
    pictures: numbered.map(({ attached }) => attached),
  }
}
