import { sql } from 'kysely'
import { z } from 'zod'
import type { FeedRow } from '#contract/feeds/mappings/source-row.ts'
import type { Partner, Partners } from './join-feeds.ts'
import { asText } from './feed-values.ts'
import { numberTable } from './number-table.ts'
import type { RunWork } from '../run-work.ts'

const Row = z.object({
  line: z.number(),
  cells: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  raw: z.string(),
  problems: z.array(z.object({ kind: z.enum(['refusal', 'count']), sentence: z.string() })),
})
const PAGE_SIZE = 500

/** Stores the rows of a run's second file in the database while they are joined. Which rows were used is kept in memory. */
export function storedPartners(
  { actor, step }: RunWork,
  { runId, organizationId }: { runId: string; organizationId: string | null },
): Partners {
  const { customerId } = actor
  const used = numberTable()
  return {
    async add(rows) {
      const sent = rows.map(({ key, row }, place) => ({
        place,
        key: key === null ? null : asText(key),
        row: storable(row),
      }))
      // The first row of each key is stored; `place` tells which ones were.
      const kept = await step(async (db) => {
        const { rows: found } = await sql<{ place: number }>`
          with coming as materialized (
            select r.place, r.key, r.row from json_to_recordset(${JSON.stringify(sent)}::json) as r(place integer, key text, row json)
          ), first as (
            select distinct on (coalesce(c.key, c.place || ' ')) c.* from coming c order by coalesce(c.key, c.place || ' '), c.place
          ), added as (
            insert into feed_run_partners (run_id, organization_id, join_key, row)
            select ${runId}::bigint, ${organizationId}::bigint, f.key, f.row from first f order by f.place
            on conflict do nothing returning join_key
          )
          select f.place from first f where f.key is null or f.key in (select a.join_key from added a)`.execute(
          db,
        )
        return new Set(found.map(({ place }) => place))
      })
      return rows.filter((_, place) => !kept.has(place))
    },
    async take(keys) {
      if (keys.length === 0) return new Map()
      const storedKeys = keys.map(asText)
      return step(async (db) => {
        const { rows } = await sql<{ id: string; joinKey: string; row: unknown }>`
          select p.id, p.join_key, p.row from feed_run_partners p
          where p.customer_id = ${customerId} and p.run_id = ${runId} and p.join_key = any(${storedKeys}::text[])`.execute(
          db,
        )
        for (const { id } of rows) used.set(id, 1)
        return new Map(rows.map(({ joinKey, row }) => [joinKey, Row.parse(row)]))
      })
    },
    async *rest() {
      let after = '0'
      for (;;) {
        const from = after
        const page = await step(async (db) => {
          const { rows } = await sql<{ id: string; joinKey: string | null; row: unknown }>`
            select p.id, p.join_key, p.row from feed_run_partners p
            where p.customer_id = ${customerId} and p.run_id = ${runId} and p.id > ${from}
            order by p.id limit ${PAGE_SIZE}`.execute(db)
          return rows
        })
        yield* page.flatMap(({ id, joinKey, row }): Partner[] =>
          used.get(id) === undefined ? [{ key: joinKey, row: Row.parse(row) }] : [],
        )
        const last = page.at(-1)
        if (last === undefined || page.length < PAGE_SIZE) return
        after = last.id
      }
    },
  }
}

/** A row that PostgreSQL can store. */
function storable({ line, cells, raw, problems }: FeedRow): FeedRow {
  const kept = Object.entries(cells).map(([name, cell]) => [
    asText(name),
    typeof cell === 'string' ? asText(cell) : cell.map(asText),
  ])
  return { line, cells: Object.fromEntries(kept), raw: asText(raw), problems }
}
