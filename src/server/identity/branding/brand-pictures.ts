import { createHash } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { PICTURE_LIMITS, whiteLabels } from '#contract/identity/branding/white-labels.ts'
import { acquireAdvisoryLock } from '#server/database/advisory-lock.ts'
import type { DB } from '#server/database/schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound, refused } from '#server/http/failure.ts'
import { Download } from '#server/http/kinds.ts'
import { typeOfBytes } from '#server/outside/type-of-bytes.ts'

const TYPES = new Set(
  ['png', 'jpeg', 'gif', 'webp', 'avif', 'svg+xml', 'x-icon'].map((kind) => `image/${kind}`),
)
/** Active content in an SVG. It wouldn't run where pictures are shown, but a logo never needs it. */
const ACTIVE = /<(script|foreignobject|iframe|object|embed|!entity)|\son\w+\s*=|javascript:/i

export const picturePath = (hash: string): string => whiteLabels.picture.path.replace('{hash}', hash)

type WhiteLabelInput = { field: keyof typeof PICTURE_LIMITS; picture: string | null; current: string | null }

/**
 * Stores a picture sent as a data URL. @returns its path; a picture that is already stored keeps its path.
 * @throws Failure 400 on its field if it isn't a picture, is too large, or doesn't belong to this customer.
 */
export async function savePicture(
  db: Database,
  { field, picture, current }: WhiteLabelInput,
): Promise<string | null> {
  if (picture === null || picture === current) return picture
  if (!picture.startsWith('data:')) {
    const hash = picture.slice(-64)
    const own = await db
      .selectFrom('whiteLabelPictures')
      .select('hash')
      .where('hash', '=', hash)
      .executeTakeFirst()
    if (own === undefined) throw wrong(field, 'This picture no longer exists. Choose it again.')
    return picture
  }
  const bytes = Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64')
  if (bytes.length > PICTURE_LIMITS[field]) {
    throw wrong(field, `This picture is too large. The limit is ${PICTURE_LIMITS[field] / 1000} kB.`)
  }
  // Detect the type from the bytes; a file name or declared type can be wrong.
  const type = typeOfBytes(bytes)
  if (!TYPES.has(type)) throw wrong(field, 'Choose a PNG, JPEG, WebP, GIF, AVIF, SVG or ICO picture.')
  if (type === 'image/svg+xml' && ACTIVE.test(bytes.toString('utf8'))) {
    throw wrong(field, 'This SVG contains scripts. Choose one without scripts.')
  }
  const hash = createHash('sha256').update(bytes).digest('hex')
  await db
    .insertInto('whiteLabelPictures')
    .values({ hash, type, bytes })
    .onConflict((on) => on.columns(['customerId', 'hash']).doNothing())
    .execute()
  return picturePath(hash)
}

/**
 * Serializes picture changes of one customer: otherwise a picture chosen just now could be deleted as unused.
 * Acquire it before locking any row.
 */
export async function lockPictures(db: Database, customerId: string): Promise<void> {
  await acquireAdvisoryLock(db, `pictures of ${customerId}`)
}

/** Deletes the customer's pictures that no domain or organization uses anymore. */
export async function dropUnusedPictures(db: Database, customerId: string): Promise<void> {
  await sql`delete from white_label_pictures p where p.customer_id = ${customerId} and not exists (
    select from white_labels w where w.customer_id = p.customer_id
      and (right(w.logo, 64) = p.hash or right(w.favicon, 64) = p.hash))
    and not exists (select from organizations o where o.customer_id = p.customer_id and right(o.logo, 64) = p.hash)`.execute(
    db,
  )
}

/** Serves a picture on the sign-in page. Its name is the hash of its content, so it can be cached forever. */
export async function sendPicture(iam: Kysely<DB>, hash: string): Promise<Download> {
  const found = await iam
    .selectFrom('whiteLabelPictures')
    .select(['type', 'bytes'])
    .where('hash', '=', hash)
    .limit(1)
    .executeTakeFirst()
  if (found === undefined) throw notFound('Picture')
  return new Download({ name: 'picture', type: found.type, body: found.bytes, isImmutable: true })
}

const wrong = (field: string, sentence: string) => refused(sentence, { [field]: sentence })
