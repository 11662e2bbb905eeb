import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { MAX_FACET_VALUES } from '#contract/lists/facets.ts'
import type { ListField } from '#contract/lists/list.ts'
import type { FieldSql, ListSource } from './list-source.ts'

/** A field whose values are counted. */
export type CountedField = Readonly<{
  id: string
  field: ListField
  sql: FieldSql
  /** Its selected values, with text folded to one case. They are returned however few rows have them. */
  selected: readonly (string | null)[]
  /** The condition for the selection. Null if there is none. */
  isSelected: RawBuilder<SqlBool> | null
}>

/** `facet` is the position of its field. `isLast` means that values with fewer rows were left out. */
export type FacetRow = {
  facet: number
  value: string | null
  label: string | null
  rows: number
  isLast: boolean
}

const name = (letter: string, at: number) => sql.ref(`${letter}${at}`)

/**
 * Counts the values of all fields in a single scan. Each row carries whether it matches each selection (`c0`, `c1`, ...).
 * A field's own selection does not apply to its counts, which costs one more aggregate per selection, not one more
 * scan.
 */
export function countFacets(
  source: ListSource,
  counted: readonly CountedField[],
  isCommon: RawBuilder<SqlBool>,
): RawBuilder<FacetRow> {
  const plain = counted.flatMap(({ field }, at) => (field.kind === 'texts' ? [] : [at]))
  const lists = counted.flatMap(({ field }, at) => (field.kind === 'texts' ? [at] : []))
  const choices = counted.flatMap(({ isSelected }, at) => (isSelected === null ? [] : [at]))
  const columns = counted.flatMap(({ field, sql: own, isSelected }, at) => [
    sql`${own.value} as ${name('v', at)}`,
    ...(field.kind === 'reference' ? [sql`${own.shown ?? sql`null::text`} as ${name('s', at)}`] : []),
    ...(isSelected === null ? [] : [sql`(${isSelected}) as ${name('c', at)}`]),
  ])
  const counts = sql.join([
    sql`${countWithout(choices, null)} as rows_all`,
    ...choices.map((at) => sql`${countWithout(choices, at)} as ${name('rows_', at)}`),
  ])
  const parts = [
    ...(plain.length === 0 ? [] : [countPlain(counted, plain, counts)]),
    ...lists.map(
      (at) => sql`select ${sql.lit(at)}::int as facet, listed.value, null::text as label, ${counts}
        from base left join lateral unnest(${name('v', at)}) listed (value) on true group by listed.value`,
    ),
  ]
  const texts = counted.flatMap(({ field }, at) =>
    field.kind === 'text' || field.kind === 'texts' ? [at] : [],
  )
  const rows = sql`case facet ${sql.join(
    [...choices.map((at) => sql`when ${sql.lit(at)} then ${name('rows_', at)}`), sql`else rows_all`],
    sql` `,
  )} end`
  const kept = counted.flatMap(({ selected }, at) => selected.map((value) => ({ at, value })))
  return sql<FacetRow>`
    with base as (select ${sql.join(columns)} from ${source.from} where ${isCommon}),
    counted as (${sql.join(parts, sql` union all `)}),
    folded as (
      select facet, case when facet = any(${texts}::int[]) then fold_case(value) else value end as folded,
        (array_agg(value order by ${choices.length === 0 ? sql`rows_all` : rows} desc, value))[1] as value,
        min(label) as label, sum(${choices.length === 0 ? sql`rows_all` : rows})::int as rows
      from counted group by 1, 2
    ),
    ranked as (
      select *, row_number() over (partition by facet order by rows desc, folded) as place,
        count(*) over (partition by facet) as all_values
      from folded where rows > 0
    )
    select facet, value, label, rows, all_values > ${sql.lit(MAX_FACET_VALUES)} as is_last from ranked
    where place <= ${sql.lit(MAX_FACET_VALUES)} or exists (
      select from unnest(${kept.map(({ at }) => at)}::int[], ${kept.map(({ value }) => value)}::text[]) k (facet, value)
      where k.facet = ranked.facet and k.value is not distinct from ranked.folded)
    order by facet, place`
}

/** Counts all single-value fields at once, with a grouping set for each. */
function countPlain(
  counted: readonly CountedField[],
  plain: readonly number[],
  counts: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const isReference = (at: number) => counted[at]?.field.kind === 'reference'
  const keys = (at: number) => (isReference(at) ? [name('v', at), name('s', at)] : [name('v', at)])
  const isOf = (at: number) => sql`grouping(${name('v', at)}) = 0`
  const pick = (value: (at: number) => RawBuilder<unknown>, places: readonly number[]) =>
    places.length === 0
      ? sql`null::text`
      : sql`case ${sql.join(
          places.map((at) => sql`when ${isOf(at)} then ${value(at)}`),
          sql` `,
        )} end`
  return sql`select ${pick((at) => sql.lit(at), plain)} as facet, ${pick((at) => sql`${name('v', at)}::text`, plain)} as value,
    ${pick((at) => name('s', at), plain.filter(isReference))} as label, ${counts}
    from base group by grouping sets (${sql.join(plain.map((at) => sql`(${sql.join(keys(at))})`))})`
}

/** The number of rows that match all selections except this field's own. */
function countWithout(choices: readonly number[], own: number | null): RawBuilder<unknown> {
  const others = choices.filter((at) => at !== own)
  if (others.length === 0) return sql`count(*)`
  return sql`count(*) filter (where ${sql.join(
    others.map((at) => sql`${name('c', at)}`),
    sql` and `,
  )})`
}
