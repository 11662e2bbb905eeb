import { BOUNDARIES, type Boundary } from '#contract/carbon/factors/factor-schema.ts'
import { GWP_SETS } from '#contract/carbon/factors/resolve.ts'
import { CALORIFIC_BASES } from '#contract/carbon/factors/unit-table.ts'
import { findHead } from './cells.ts'
import type { Cells, EditionLine, ReadForm, RefusedLine } from './edition-line.ts'
import type { Sheet } from '#server/spreadsheets/sheet.ts'

const HEAD = [/^gas$/, /^unit$/, /^(factor_)?kg(_per_unit)?$/, /^(activity|name)$/]

/** The format with one line per gas; null if the sheet has another format. */
export function readLongForm(table: Sheet): ReadForm | null {
  const head = findHead(table, HEAD)
  if (head === null) return null
  const lines: EditionLine[] = []
  const refused: RefusedLine[] = []
  for (const cells of head.rows) {
    const read = readLine(cells)
    if ('sentence' in read) refused.push(read)
    else lines.push(read)
  }
  const [first] = head.rows
  const cell = (...names: string[]) => first?.get(...names) ?? ''
  const years = head.rows.map((cells) => Number(cells.get('year'))).filter((year) => year > 0)
  return {
    form: 'long',
    lines,
    refused,
    details: {
      publisher: cell('publisher'),
      title: cell('dataset', 'title'),
      edition: cell('dataset_version', 'edition'),
      year: years.length === 0 ? null : Math.max(...years),
      region: head.rows.every((cells) => cells.get('region') === cell('region')) ? cell('region') : '',
      gwpSet:
        GWP_SETS.find((set) => head.rows.some((cells) => cells.get('gwp_basis', 'gwp_set') === set)) ?? null,
      license: cell('license', 'licence'),
    },
  }
}

function readLine(cells: Cells): EditionLine | RefusedLine {
  const { line, get } = cells
  const name = get('activity', 'name')
  const scope = readScopes(get('scope_hint', 'scope', 'scopes'))
  if (scope === null) {
    const written = get('scope_hint', 'scope', 'scopes')
    const sentence =
      written === ''
        ? 'The scope is missing.'
        : `Unknown scope \u201c${written}\u201d. Use 1, 2, 3.1 to 3.15, outside or avoided.`
    return { line, name, sentence }
  }
  const basis = get('calorific_basis')
  return {
    line,
    ...scope,
    category: get('category') || 'Other',
    name,
    activity: get('activity_path') || null,
    region: readRegion(get('region')),
    unit: get('unit'),
    calorificBasis: CALORIFIC_BASES.find((one) => one === basis) ?? null,
    boundary: readBoundary(get('boundary')),
    gas: get('gas'),
    isBiogenic: isYes(get('is_biogenic', 'biogenic')),
    basis: get('basis') === 'co2e' || isYes(get('result_is_co2e')) ? 'co2e' : 'gas',
    kg: get('factor_kg_per_unit', 'kg_per_unit', 'kg'),
    year: Number(get('year')) || null,
    validFrom: get('valid_from') || null,
    validTo: get('valid_to') || null,
    table: get('source_table', 'table') || null,
    rows: get('source_ref', 'rows', 'row') || null,
    note: get('note') || null,
  }
}

const isYes = (text: string): boolean => /^(1|yes|true|y)$/i.test(text)

/** "3.4|3.9", "3.5 3.12", "avoided"; null if any part isn't a scope. */
function readScopes(text: string): Pick<EditionLine, 'scopes' | 'use'> | null {
  if (text.toLowerCase() === 'avoided') return { scopes: ['2'], use: 'avoided' }
  const scopes = text.toLowerCase().split(/[|,; ]+/)
  const isScope = scopes.every((scope) => /^(1|2|3|3\.([1-9]|1[0-5])|outside)$/.test(scope))
  return isScope ? { scopes, use: 'inventory' } : null
}

/** US-EGRID-CAMX is US-CAMX in the library. */
function readRegion(text: string): string | null {
  if (text === '') return null
  const region = text.toUpperCase().replace(/^US-EGRID-/, 'US-')
  return region === 'ANY' ? 'any' : region
}

function readBoundary(text: string): Boundary {
  const word = text.toLowerCase()
  const known = BOUNDARIES.find((one) => one === word)
  if (known !== undefined) return known
  if (word.startsWith('cradle-to-purchaser')) return 'supply'
  if (word.startsWith('cradle-to-gate')) return 'cradle-to-gate'
  return 'ttw'
}
