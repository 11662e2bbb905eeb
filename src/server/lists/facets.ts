import type { RawBuilder } from 'kysely'
import { foldCase } from '#contract/expressions/fold-case.ts'
import { readRule } from '#contract/expressions/read.ts'
import { conjuncts } from '#contract/expressions/rules.ts'
import { variablesOf } from '#contract/expressions/variables.ts'
import {
  choiceWay,
  chosenBy,
  isCounted,
  type Facet,
  type facets as contract,
} from '#contract/lists/facets.ts'
import { fieldsOf, type ListField } from '#contract/lists/list.ts'
import { isTooSlow } from '#server/database/faults.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound, refused } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { countFacets, type Counted, type FacetRow } from './facets-sql.ts'
import type { ListSource } from './list-source.ts'
import { executeFiltered, matching, type Narrowing } from './read-list.ts'
import { ruleOf } from './rule-of.ts'
import { openSource } from './views-read.ts'

/** Values of fields beside any list that declares some, with how many rows have each. */
export function facetHandlers(sources: readonly ListSource[]): Handlers<typeof contract> {
  return {
    async list({ db, actor, input: { list, ...narrowing } }) {
      const source = await openSource(db, actor, sources, list)
      // Such a list is not read in a tenant's transaction.
      if (source.isAcrossCustomers === true) throw notFound('List')
      return readFacets(db, actor, source, narrowing)
    },
  }
}

/**
 * Every field that declares it with its values, counted by one statement.
 * @throws Failure 400 on `filter` when the rule cannot be read by this person.
 */
async function readFacets(
  db: Database,
  actor: Member,
  source: ListSource,
  narrowing: Narrowing,
): Promise<Facet[]> {
  const fields = fieldsOf(source.list, actor.may).filter(([, field]) => isCounted(field))
  if (fields.length === 0) return []
  const { common, chosen } = partsOf(source, actor, narrowing.filter)
  const isCommon = matching(source, actor, { search: narrowing.search, filter: common })
  const counted = fields.map(([id, field]): Counted => {
    const own = chosen.get(id)
    return {
      id,
      field,
      sql: source.fields[id] ?? missing(id),
      chosen: own?.values.map((value) => asCounted(field, value)) ?? [],
      isChosen: own === undefined ? null : ruleOf(source, actor, own.texts.join(' && ')).isMatch,
    }
  })
  const rows = await countOrRefuse(db, actor, narrowing, countFacets(source, counted, isCommon))
  return counted.map(({ id, field }, at) => {
    const found = rows.filter(({ facet }) => facet === at)
    const values = found.map((row) => ({ value: row.value, label: labelOf(field, row), rows: row.rows }))
    return { field: id, values, isCut: found.some(({ isLast }) => isLast) }
  })
}

type FacetChoice = { texts: string[]; values: (string | null)[] }

/** A rule in two: what narrows every field's values, and what was chosen of each field. */
function partsOf(
  source: ListSource,
  actor: Member,
  filter: string | undefined,
): { common: string; chosen: ReadonlyMap<string, FacetChoice> } {
  const chosen = new Map<string, FacetChoice>()
  const read = filter?.trim() ? readRule(filter, variablesOf(source.list, actor.may)) : null
  // `matching` refuses it with the place.
  if (read?.ok !== true) return { common: filter ?? '', chosen }
  const common: string[] = []
  for (const { text, leaf } of conjuncts(read.rule)) {
    const field = leaf === null ? undefined : source.list.fields[leaf.field]
    const values = chosenBy(leaf)
    const isOwn = field !== undefined && isCounted(field) && choiceWay(field) !== 'all'
    if (leaf === null || values === null || !isOwn) {
      common.push(text)
      continue
    }
    const before = chosen.get(leaf.field) ?? { texts: [], values: [] }
    chosen.set(leaf.field, { texts: [...before.texts, text], values: [...before.values, ...values] })
  }
  return { common: common.join(' && '), chosen }
}

/** A chosen value as it comes out of the counting: texts are told apart without case. */
const asCounted = ({ kind }: ListField, value: string | null): string | null =>
  value !== null && kind === 'text' ? foldCase(value) : value

async function countOrRefuse(
  db: Database,
  actor: Member,
  narrowing: Narrowing,
  statement: RawBuilder<FacetRow>,
): Promise<FacetRow[]> {
  try {
    return (await executeFiltered<FacetRow>(db, actor, narrowing, statement.compile(db), {})).rows
  } catch (error) {
    if (!isTooSlow(error)) throw error
    throw refused('There are too many rows to count.', { filter: 'Narrow the list down to see counts.' })
  }
}

function labelOf({ kind, choices }: ListField, { value, label }: FacetRow): string {
  if (value === null) return 'None'
  if (kind === 'choice') return choices?.find((choice) => choice.value === value)?.label ?? value
  return label ?? (kind === 'reference' ? `Number ${value}` : value)
}

function missing(id: string): never {
  throw new Error(`The field ${id} has no SQL.`)
}
