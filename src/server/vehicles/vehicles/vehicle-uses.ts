import { sql } from 'kysely'
import type { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { noneFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { describeUses, type Use } from '#server/lists/uses.ts'
import { widened } from '#server/lists/list-source.ts'
import { chosenRows } from '#server/queue/start-job.ts'
import { vehicleSource } from './vehicles.ts'

const SHORT_URLS: Use = {
  nouns: ['short URL', 'short URLs'],
  from: sql`select vehicle_id, name from short_urls where vehicle_id is not null`,
}

/** What buyers come to a vehicle by: asked before it is deleted, which it doesn't stop. */
export const vehicleUses: Pick<Handlers<typeof vehicles>, 'uses'> = {
  async uses({ db, actor, input: { selection } }) {
    const source = await widened(db, actor, vehicleSource)
    const { rows } = await sql<{ id: string }>`
      select ${source.id}::text as id from ${source.from} where ${chosenRows(source, actor, selection)}`.execute(
      db,
    )
    if (rows.length === 0) throw noneFound('vehicles')
    const ids = rows.map(({ id }) => id)
    return { uses: await describeUses(db, { table: 'vehicles', uses: [SHORT_URLS] }, ids) }
  },
}
