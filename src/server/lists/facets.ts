import type { RawBuilder } from 'kysely'
import { foldCase } from '#contract/expressions/fold-case.ts'
import { readRule } from '#contract/expressions/read.ts'
import { conjuncts } from '#contract/expressions/rules.ts'
import { variablesOf } from '#contract/expressions/variables.ts'
import {
  selectionMode,
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
import { countFacets, type CountedField, type FacetRow } from './facets-sql.ts'
import type { ListSource } from './list-source.ts'
import { executeFiltered, matching, type Narrowing } from './read-list.ts'
import { ruleOf } from './rule-of.ts'
import { openSource } from './views-read.ts'

/** The facets of any list that declares some: field values with their row counts. */
export function facetHandlers(sources: readonly ListSource[]): Handlers<typeof contract> {
  return {
    async list({ db, actor, input: { list, ...narrowing } }) {
      const source = await openSource(db, actor, sources, list)
      // Lists across customers cannot be read in a tenant transaction.
      if (source.isAcrossCustomers === true) throw notFound('List')
      return readFacets(db, actor, source, narrowing)
    },
  }
}

/**
 * The values of every facet field, counted in one statement.
 * @throws Failure 400 on `filter` if the rule is not valid for this user.
 */
async function readFacets(
  db: Database,
  actor: Member,
  source: ListSource,
  narrowing: Narrowing,
): Promise<Facet[]> {
  const fields = fieldsOf(source.list, actor.may).filter(([, field]) => isCounted(field))
  if (fields.length === 0) return []
  const { common, selected } = partsOf(source, actor, narrowing.filter)
  const isCommon = matching(source, actor, { search: narrowing.search, filter: common })
  const counted = fields.map(([id, field]): CountedField => {
    const own = selected.get(id)
    return {
      id,
      field,
      sql: source.fields[id] ?? missing(id),
      selected: own?.values.map((value) => asCounted(field, value)) ?? [],
      isSelected: own === undefined ? null : ruleOf(source, actor, own.texts.join(' && ')).isMatch,
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

/** Splits a rule into the part that filters all fields, and the selection in each field. */
function partsOf(
  source: ListSource,
  actor: Member,
  filter: string | undefined,
): { common: string; selected: ReadonlyMap<string, FacetChoice> } {
  const selected = new Map<string, FacetChoice>()
  const read = filter?.trim() ? readRule(filter, variablesOf(source.list, actor.may)) : null
  // `matching` rejects it with the position of the error.
  if (read?.ok !== true) return { common: filter ?? '', selected }
  const common: string[] = []
  for (const { text, leaf } of conjuncts(read.rule)) {
    const field = leaf === null ? undefined : source.list.fields[leaf.field]
    const values = chosenBy(leaf)
    const isOwn = field !== undefined && isCounted(field) && selectionMode(field) !== 'all'
    if (leaf === null || values === null || !isOwn) {
      common.push(text)
      continue
    }
    const before = selected.get(leaf.field) ?? { texts: [], values: [] }
    selected.set(leaf.field, { texts: [...before.texts, text], values: [...before.values, ...values] })
  }
  return { common: common.join(' && '), selected }
}

/** A selected value in the form the counts return it: text is folded to one case. */
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
    throw refused('There are too many rows to count.', { filter: 'Filter the list to see counts.' })
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
