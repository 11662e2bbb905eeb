import { sql } from 'kysely'
import type { mediaTexts } from '#contract/files/media-texts.ts'
import { buyerTextFaults } from '#contract/pricing/totals/public-description.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { Failure, notFound, refused } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { OutsideStorage } from '#server/outside/open-transaction.ts'
import { mediaPlace, type Names } from './storage-paths.ts'

/** Keeps what pictures of the media show, in words. */
export const mediaTextHandlers = (storageOf: OutsideStorage): Handlers<typeof mediaTexts> => ({
  async update({ actor, inTenant, outside, input: { path, alt, before } }) {
    const found = await storageOf(outside).find(mediaPlace(actor.customerId, path))
    if (found?.kind !== 'file') throw notFound('File')
    const fault = alt === before ? undefined : buyerTextFaults({ photos: [{ alt }] })['photos.0.alt']
    if (fault !== undefined) throw refused(fault, { alt: fault })
    if (!found.type.startsWith('image/')) throw refused('Only pictures have an alternative text.')
    return inTenant(async (db) => {
      if (alt !== before && !(await isWritten(db, path, { alt, before }))) {
        const [current = ''] = await readAlt(db, path)
        if (current !== alt)
          throw new Failure(
            409,
            `Someone else ${current === '' ? 'removed this text' : `changed this text to “${current}”`}. Save again to replace it.`,
            {
              current: { alt: current },
            },
          )
      }
      return { alt }
    })
  },
})

/** False if the stored text isn't the one from before. */
async function isWritten(
  db: Database,
  path: Names,
  { alt, before }: { alt: string; before: string },
): Promise<boolean> {
  const { folder, name, key } = keysOf(path)
  const stored = sql`path_key = ${key} and alt = ${before}`
  let change = sql`update media_texts set alt = ${alt} where ${stored} returning id`
  if (alt === '') change = sql`delete from media_texts where ${stored} returning id`
  if (before === '')
    change = sql`insert into media_texts (folder, name, alt) values (${folder}, ${name}, ${alt})
      on conflict do nothing returning id`
  const { rows } = await change.execute(db)
  return rows.length > 0
}

async function readAlt(db: Database, path: Names): Promise<string[]> {
  const { rows } = await sql<{ alt: string }>`select alt from media_texts
    where path_key = ${keysOf(path).key}`.execute(db)
  return rows.map(({ alt }) => alt)
}

const keysOf = (path: Names) => {
  const [folder, name] = [path.slice(0, -1).join('/'), path.at(-1) ?? '']
  return { folder, name, key: sql`md5(${`${folder}/${name}`})` }
}

/** The texts of the pictures in one folder, by name. */
export async function readTextsIn(db: Database, folder: Names): Promise<ReadonlyMap<string, string>> {
  const path = folder.join('/')
  const { rows } = await sql<{ name: string; alt: string }>`select name, alt from media_texts
    where folder_start = left(${path}, 300) and folder = ${path}`.execute(db)
  return new Map(rows.map(({ name, alt }) => [name, alt]))
}
