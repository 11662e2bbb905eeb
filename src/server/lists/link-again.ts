import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { keepWhatWorks } from './insert-again.ts'

/** A reference that a deletion took away: `table.column` of row `id` named the record `to` of `target`. */
export type Link = Readonly<{
  /** The restored record that it came with. */
  owner: string
  table: string
  column: string
  /** Null if the table has no ID. */
  id: string | null
  target: string
  to: string
}>
export type LostLinks = Readonly<{
  /** Someone has given the row another reference since. */
  changed: readonly Link[]
  /** What it named is deleted, and nothing can bring that back. */
  gone: readonly Link[]
}>
type Place = Readonly<{ table: string; id: string; path: readonly string[]; link: Link }>

/**
 * Sets references again, unless the row has another one by now. If the row or what it named is deleted and can be restored, that
 * restoration sets it.
 */
export async function linkAgain(
  db: Database,
  customerId: string,
  links: readonly Link[],
): Promise<LostLinks> {
  const changed: Link[] = []
  const gone: Link[] = links.filter(({ id }) => id === null)
  const waiting: Place[] = []
  const kinds = Map.groupBy(
    links.flatMap((link) => (link.id === null ? [] : [{ ...link, id: link.id }])),
    ({ table, column, target }) => `${table} ${column} ${target}`,
  )
  for (const same of kinds.values()) {
    // One kind after the other: all are on the connection of the transaction.
    // oxlint-disable-next-line no-await-in-loop
    for (const { link, isHere, isBlank, hasTarget } of await setAgain(db, customerId, same)) {
      const { table, column, id, target, to } = link
      if (!isHere) waiting.push({ table, id, path: ['own', column], link })
      else if (isBlank && !hasTarget)
        waiting.push({ table: target, id: to, path: ['links', `${table}.${column}`, to], link })
      else changed.push(link)
    }
  }
  const kept = await leaveToRestoration(db, customerId, waiting)
  // A row that is gone for good needs no reference.
  gone.push(...waiting.flatMap(({ path, link }, at) => (path[0] === 'own' || kept.has(at) ? [] : [link])))
  return { changed, gone }
}

type Here = Link & Readonly<{ id: string }>
type State = Readonly<{ isHere: boolean; isBlank: boolean; hasTarget: boolean }>

/** Sets references of one kind where row and target are there. @returns those that are not set afterwards, and what there is */
async function setAgain(
  db: Database,
  customerId: string,
  links: readonly Here[],
): Promise<(State & { link: Here })[]> {
  const [first] = links
  if (first === undefined) return []
  const here = sql.table(first.table)
  const at = sql.ref(`f.${first.column}`)
  const given = (some: readonly { id: string; to: string }[]) =>
    sql`jsonb_to_recordset(${JSON.stringify(some.map(({ id, to }, place) => ({ place, id, to })))}::jsonb)
      as p (place int, id bigint, "to" bigint)`
  const target = sql`exists (select from ${sql.table(first.target)} t where t.customer_id = ${customerId} and t.id = p."to")`
  await keepWhatWorks(db, links, (some) =>
    sql`update ${here} as f set ${sql.ref(first.column)} = p."to" from ${given(some)}
      where f.customer_id = ${customerId} and f.id = p.id and ${at} is null and ${target}`.execute(db),
  )
  const { rows } = await sql<State & { place: number }>`
    select p.place, f.id is not null as is_here, ${at} is null as is_blank, ${target} as has_target
    from ${given(links)} left join ${here} as f on f.customer_id = ${customerId} and f.id = p.id
    where ${at} is distinct from p."to"`.execute(db)
  return rows.flatMap(({ place, ...state }) => {
    const link = links[place]
    return link === undefined ? [] : [{ ...state, link }]
  })
}

/** Adds references to what the deletions of other records have kept. @returns the indexes of those that found their deletion */
async function leaveToRestoration(
  db: Database,
  customerId: string,
  places: readonly Place[],
): Promise<ReadonlySet<number>> {
  if (places.length === 0) return new Set()
  const given = JSON.stringify(
    places.map(({ table, id, path, link }, at) => ({
      at,
      table,
      id,
      path,
      value: path[0] === 'own' ? link.to : link.id,
    })),
  )
  const { rows } = await sql<{ at: number }>`
    with given as (select * from jsonb_to_recordset(${given}::jsonb) as g (at int, "table" text, id bigint, path text[], value text)),
    own as (
      select g."table", g.id, jsonb_object_agg(g.path[2], g.value) as own from given g where g.path[1] = 'own' group by 1, 2),
    ids as (
      select g."table", g.id, g.path[2] as kind, jsonb_agg(g.value) as ids from given g where g.path[1] = 'links' group by 1, 2, 3),
    links as (
      select i."table", i.id, jsonb_object_agg(i.kind, coalesce(d.dependents #> array['links', i.kind], '{}') || jsonb_build_object(
        i.id::text, coalesce(nullif(d.dependents #> array['links', i.kind, i.id::text], 'null'), '[]') || i.ids)) as links
      from ids i join deleted_dependents d on d.customer_id = ${customerId} and d.table_name = i."table" and d.row_id = i.id
      group by 1, 2),
    written as (
      update deleted_dependents d set dependents = d.dependents
        || jsonb_build_object('own', coalesce(d.dependents -> 'own', '{}') || coalesce(o.own, '{}'))
        || jsonb_build_object('links', d.dependents -> 'links' || coalesce(l.links, '{}'))
      from (select distinct "table", id from given) one
      left join own o using ("table", id) left join links l using ("table", id)
      where d.customer_id = ${customerId} and d.table_name = one."table" and d.row_id = one.id
      returning d.table_name, d.row_id)
    select g.at from given g join written w on w.table_name = g."table" and w.row_id = g.id`.execute(db)
  return new Set(rows.map(({ at }) => at))
}
