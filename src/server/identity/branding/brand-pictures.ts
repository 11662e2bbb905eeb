import { createHash } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { PICTURE_LIMITS, whiteLabels } from '#contract/identity/branding/white-labels.ts'
import { acquireAdvisoryLock } from '#server/database/hold-name.ts'
import type { DB } from '#server/database/schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound, refused } from '#server/http/failure.ts'
import { Download } from '#server/http/kinds.ts'
import { typeOfBytes } from '#server/outside/type-of-bytes.ts'

const TYPES = new Set(
  ['png', 'jpeg', 'gif', 'webp', 'avif', 'svg+xml', 'x-icon'].map((kind) => `image/${kind}`),
)
/** What makes a drawing a program. It would not run where it is shown; nobody needs it in a logo. */
const ACTIVE = /<(script|foreignobject|iframe|object|embed|!entity)|\son\w+\s*=|javascript:/i

export const picturePath = (hash: string): string => whiteLabels.picture.path.replace('{hash}', hash)

type WhiteLabelInput = { field: keyof typeof PICTURE_LIMITS; picture: string | null; current: string | null }

/**
 * Keeps a picture that came as a data address. @returns its path; one that is kept already stays as it is.
 * @throws Failure 400 on its field, for what is no picture, too large, or not of this customer.
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
    if (own === undefined) throw wrong(field, 'This picture is not there any more. Choose it again.')
    return picture
  }
  const bytes = Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64')
  if (bytes.length > PICTURE_LIMITS[field]) {
    throw wrong(field, `This picture is too large: at most ${PICTURE_LIMITS[field] / 1000} kB.`)
  }
  // Neither its name nor its sender is believed.
  const type = typeOfBytes(bytes)
  if (!TYPES.has(type)) throw wrong(field, 'Give a PNG, JPEG, WebP, GIF, AVIF, SVG or ICO picture.')
  if (type === 'image/svg+xml' && ACTIVE.test(bytes.toString('utf8'))) {
    throw wrong(field, 'This drawing has something in it that runs. Give one without scripts.')
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
 * Of people who give and take pictures of one customer at once each sees what the one before did: else what one just
 * chose would be forgotten as shown nowhere. Asked for before any row is held.
 */
export async function holdPictures(db: Database, customerId: string): Promise<void> {
  await acquireAdvisoryLock(db, `pictures of ${customerId}`)
}

/** Forgets the customer's pictures that no domain and no organization of it shows any more. */
export async function dropUnusedPictures(db: Database, customerId: string): Promise<void> {
  await sql`delete from white_label_pictures p where p.customer_id = ${customerId} and not exists (
    select from white_labels w where w.customer_id = p.customer_id
      and (right(w.logo, 64) = p.hash or right(w.favicon, 64) = p.hash))
    and not exists (select from organizations o where o.customer_id = p.customer_id and right(o.logo, 64) = p.hash)`.execute(
    db,
  )
}

/** A picture for whoever opens the sign-in page. What it is called says what is in it, so it may be kept for ever. */
export async function sendPicture(iam: Kysely<DB>, hash: string): Promise<Download> {
  const found = await iam
    .selectFrom('whiteLabelPictures')
    .select(['type', 'bytes'])
    .where('hash', '=', hash)
    .limit(1)
    .executeTakeFirst()
  if (found === undefined) throw notFound('Picture')
  return new Download({ name: 'picture', type: found.type, body: found.bytes, isForEver: true })
}

const wrong = (field: string, sentence: string) => refused(sentence, { [field]: sentence })
