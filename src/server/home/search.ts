import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { foldCase } from '#contract/expressions/fold-case.ts'
import {
  MIN_LETTERS,
  MAX_RESULTS,
  SEARCH_KINDS,
  type search,
  type SearchResult,
} from '#contract/home/search.ts'
import { findableCustomers, findableLots } from '#server/customers/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import type { Handlers } from '#server/http/serve.ts'
import { findableUsers } from '#server/identity/index.ts'
import { findableVehicles } from '#server/vehicles/index.ts'
import { findableBuyers, findableLeads } from '#server/leads/index.ts'
import type { FoundKind } from '#server/lists/found-kind.ts'
import { findableOrganizations } from '#server/organizations/index.ts'

const KINDS = [
  findableVehicles,
  findableLeads,
  findableBuyers,
  findableLots,
  findableUsers,
  findableOrganizations,
]

/** Longer searches cost more without finding more. */
const MAX_WORDS = 6
/** How many matching words to read per kind: a record can have several words with the same beginning. */
const LOOKED_AT = MAX_RESULTS * 8
/** The rarest word drives the lookup; counting stops here. */
const FREQUENT = 400

/** Finds records by the beginnings of their words; row-level security enforces the reach. */
export function searchHandlers(iam: Database): Handlers<typeof search> {
  return {
    async find({ db, actor, input }) {
      const words = wordsIn(input.text)
      if (words.length === 0) return []
      const kinds = KINDS.filter(({ permission }) => actor.may(permission))
      const [own, customers] = await Promise.all([
        find(db, actor, kinds, words),
        actor.may(findableCustomers.permission) ? find(iam, actor, [findableCustomers], words) : [],
      ])
      return [...own, ...customers]
    },
  }
}

/** Splits the text into words, normalized like those of records. A single letter finds nothing. */
function wordsIn(text: string): string[] {
  const words = foldCase(text)
    .split(/[\s,;]+/)
    .map((word) => word.replace(/^[!-/:-@[-`{-~]+|[!-/:-@[-`{-~]+$/g, ''))
    .filter((word) => word !== '')
  if (words.every((word) => word.length < MIN_LETTERS)) return []
  return [...new Set(words)].slice(0, MAX_WORDS)
}

async function find(
  db: Database,
  actor: Member,
  kinds: readonly FoundKind[],
  words: readonly string[],
): Promise<SearchResult[]> {
  const leads = await leadingWords(db, actor, kinds, words)
  const queries = kinds.flatMap((kind) => {
    const lead = leads.get(kind.kind)
    return lead === undefined
      ? []
      : [findKind(kind, actor, { lead, others: words.filter((word) => word !== lead) })]
  })
  if (queries.length === 0) return []
  const { rows } = await sql<Omit<SearchResult, 'path'> & { place: string }>`
    select kind, id, title, about from (${sql.join(queries, sql` union all `)}) found
    order by array_position(${[...SEARCH_KINDS]}::text[], kind), place`.execute(db)
  const pathOf = new Map(kinds.map(({ kind, path }) => [kind, path]))
  return rows.map((row) => ({ ...row, path: pathOf.get(row.kind)?.(row.id, actor) ?? '/' }))
}

/** The rarest word for each kind; kinds without any match for a word are left out. */
async function leadingWords(
  db: Database,
  actor: Member,
  kinds: readonly FoundKind[],
  words: readonly string[],
): Promise<Map<string, string>> {
  const [only, ...more] = words
  if (only === undefined || kinds.length === 0) return new Map()
  if (more.length === 0) return new Map(kinds.map(({ kind }) => [kind, only]))
  const counts = kinds.map(
    ({ kind }) =>
      sql`select ${sql.lit(kind)}::text as kind, array[${sql.join(words.map((word) => countUpTo(kind, actor, word)))}] as counts`,
  )
  const { rows } = await sql<{
    kind: string
    counts: number[]
  }>`${sql.join(counts, sql` union all `)}`.execute(db)
  return new Map(
    rows.flatMap(({ kind, counts: each }): [string, string][] => {
      const fewest = Math.min(...each)
      const rarest = words[each.indexOf(fewest)]
      return rarest === undefined || fewest === 0 ? [] : [[kind, rarest]]
    }),
  )
}

function countUpTo(kind: FoundKind['kind'], actor: Member, word: string): RawBuilder<number> {
  return sql<number>`(select count(*)::int from (
    select from search_words s where ${isOf(kind, actor)} and ${begins(sql`s.word`, word)} limit ${sql.lit(FREQUENT)}) c)`
}

/** The records of one kind, ordered by the word they matched. */
function findKind(
  { kind, source, about }: FoundKind,
  actor: Member,
  { lead, others }: { lead: string; others: readonly string[] },
): RawBuilder<unknown> {
  const conditions = [
    isOf(kind, actor),
    begins(sql`s.word`, lead),
    ...others.map(
      (
        word,
      ) => sql<SqlBool>`exists (select from search_words o where o.customer_id = s.customer_id and o.kind = s.kind
        and o.record_id = s.record_id and ${begins(sql`o.word`, word)})`,
    ),
  ]
  return sql`(select ${sql.lit(kind)}::text as kind, ${source.id}::text as id, ${source.title} as title, ${about} as about, f.place
    from (select record_id, min(word) as place from (
        select s.record_id, s.word from search_words s where ${sql.join(conditions, sql` and `)}
        order by s.word, s.record_id limit ${sql.lit(LOOKED_AT)}) c
      group by record_id order by min(word), record_id limit ${sql.lit(MAX_RESULTS)}) f
    join ${source.from} on ${source.within(actor)} and ${source.id} = f.record_id)`
}

/** Customers are searched across tenants; everything else within the current customer. Literals, so that the index is used. */
function isOf(kind: FoundKind['kind'], { customerId }: Member): RawBuilder<SqlBool> {
  if (kind === 'customer') return sql`s.kind = 'customer'`
  return sql`s.customer_id = ${customerId} and s.kind = ${sql.lit(kind)}`
}

/** A prefix range: unlike LIKE, it uses the index under row-level security. */
function begins(column: RawBuilder<unknown>, word: string): RawBuilder<SqlBool> {
  return sql`${column} >= ${word} and ${column} < ${`${word}\u{10ffff}`}`
}
