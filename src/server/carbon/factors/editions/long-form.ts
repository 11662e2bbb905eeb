import { BOUNDARIES, type Boundary } from '#contract/carbon/factors/factor-schema.ts'
import { GWP_SETS } from '#contract/carbon/factors/resolve.ts'
import { CALORIFIC_BASES } from '#contract/carbon/factors/unit-table.ts'
import { findHead } from './cells.ts'
import type { Cells, FigureLine, ReadForm, RefusedLine } from './figure-line.ts'
import type { Sheet } from '#server/spreadsheets/sheet.ts'

const HEAD = [/^gas$/, /^unit$/, /^(factor_)?kg(_per_unit)?$/, /^(activity|name)$/]

/** A line for each gas; null where the table is none. */
export function readLongForm(table: Sheet): ReadForm | null {
  const head = findHead(table, HEAD)
  if (head === null) return null
  const lines: FigureLine[] = []
  const refused: RefusedLine[] = []
  for (const cells of head.rows) {
    const read = readLine(cells)
    if ('sentence' in read) refused.push(read)
    else lines.push(read)
  }
  const [first] = head.rows
  const said = (...names: string[]) => first?.get(...names) ?? ''
  const years = head.rows.map((cells) => Number(cells.get('year'))).filter((year) => year > 0)
  return {
    form: 'long',
    lines,
    refused,
    details: {
      publisher: said('publisher'),
      title: said('dataset', 'title'),
      edition: said('dataset_version', 'edition'),
      year: years.length === 0 ? null : Math.max(...years),
      region: head.rows.every((cells) => cells.get('region') === said('region')) ? said('region') : '',
      gwpSet:
        GWP_SETS.find((set) => head.rows.some((cells) => cells.get('gwp_basis', 'gwp_set') === set)) ?? null,
      licence: said('licence'),
    },
  }
}

function readLine(cells: Cells): FigureLine | RefusedLine {
  const { line, get } = cells
  const name = get('activity', 'name')
  const scope = readScopes(get('scope_hint', 'scope', 'scopes'))
  if (scope === null) {
    const written = get('scope_hint', 'scope', 'scopes')
    const sentence =
      written === ''
        ? 'It names no scope.'
        : `\u201c${written}\u201d is no scope: 1, 2, 3.1 to 3.15, outside or avoided.`
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

/** "3.4|3.9", "3.5 3.12", "avoided"; null where nothing of it is a scope. */
function readScopes(text: string): Pick<FigureLine, 'scopes' | 'use'> | null {
  if (text.toLowerCase() === 'avoided') return { scopes: ['2'], use: 'avoided' }
  const scopes = text.toLowerCase().split(/[|,; ]+/)
  const isScope = scopes.every((scope) => /^(1|2|3|3\.([1-9]|1[0-5])|outside)$/.test(scope))
  return isScope ? { scopes, use: 'inventory' } : null
}

/** US-EGRID-CAMX is the library's US-CAMX. */
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
