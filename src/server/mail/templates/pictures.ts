import {
  isMediaAddress,
  MAIL_PICTURE_LIMIT,
  MAIL_PICTURE_TYPES,
  MAIL_PICTURES_LIMIT,
  pathOfMediaAddress,
} from '#contract/mail/templates/template-pictures.ts'
import type { AttachedPicture } from '#server/outside/smtp.ts'

/** A file of a customer's media, whole; null where there is none, or more than `most` bytes. */
export type ReadPicture = (
  customerId: string,
  path: string,
  most: number,
) => Promise<{ name: string; type: string; bytes: Buffer } | null>

type Picture = { address: string; name: string; type: string; bytes: Buffer }
type Found = { pictures: Picture[]; problems: string[] }

// A sign > may stand in an attribute.
const IMAGE = /<img\b(?:[^>"]|"[^"]*")*>/gi
const SOURCE = /(\ssrc=")([^"]*)(")/i
const WORDS = /\salt="([^"]*)"/i

/** Puts what `put` makes of it in place of each picture of the media; null leaves the words of the picture. */
function replaceImages(html: string, put: (address: string) => string | null): string {
  return html.replace(IMAGE, (image) => {
    const address = SOURCE.exec(image)?.[2] ?? ''
    if (!isMediaAddress(address)) return image
    const other = put(address)
    if (other === null) return WORDS.exec(image)?.[1] ?? ''
    return image.replace(SOURCE, (_, start: string, _old, end: string) => start + other + end)
  })
}

/** Fetches what a mail names, each picture once, as far as it may go along. */
async function findPictures(html: string, read: (path: string) => ReturnType<ReadPicture>): Promise<Found> {
  const addresses = new Set<string>()
  replaceImages(html, (address) => {
    addresses.add(address)
    return null
  })
  const found: Found = { pictures: [], problems: [] }
  let together = 0
  for (const address of addresses) {
    const path = pathOfMediaAddress(address)
    const file = path === null ? null : await read(path)
    const type = MAIL_PICTURE_TYPES.find((one) => one === file?.type)
    together += file?.bytes.length ?? 0
    if (file === null) {
      found.problems.push(`There is no picture ${path ?? address} of at most ${SIZE} in the media.`)
    } else if (type === undefined) {
      found.problems.push(`${file.name} is no PNG, JPEG or GIF: not every reader of mails shows it.`)
    } else if (together > MAIL_PICTURES_LIMIT) {
      found.problems.push(`All pictures of a mail may have ${MAIL_PICTURES_LIMIT / 1000} kB together.`)
    } else found.pictures.push({ address, name: file.name, type, bytes: file.bytes })
  }
  return found
}
const SIZE = `${MAIL_PICTURE_LIMIT / 1000} kB`

/**
 * The mail as a preview shows it, its pictures inside, and a sentence for each that cannot go along.
 * @param read null for whoever may not read the media: then no picture is looked at.
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
  const elsewhere = 'A picture of the media may stand in the src of mj-image or img: nowhere else.'
  return { html: shown, problems: isElsewhere ? [...problems, elsewhere] : problems }
}

/**
 * The mail as it goes out: its pictures go along and are named by their numbers. What is not there any more leaves its
 * words behind: a picture never holds up a mail.
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
