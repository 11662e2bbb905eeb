import { BOUNDARIES } from '#contract/carbon/factors/factor-schema.ts'
import { CALORIFIC_BASES } from '#contract/carbon/factors/unit-table.ts'
import { GasList } from '../library-files.ts'
import { findHead } from './cells.ts'
import type { EditionLine, ReadForm, RefusedLine } from './edition-line.ts'
import type { Sheet } from '#server/spreadsheets/sheet.ts'

const HEAD = [/^gases$/, /^activity$/, /^unit$/, /^scope$/]

/** The format with one line per factor and all of its gases, as in data/carbon; null if the sheet has another format. */
export function readOwnForm(table: Sheet): ReadForm | null {
  const head = findHead(table, HEAD)
  if (head === null) return null
  const lines: EditionLine[] = []
  const refused: RefusedLine[] = []
  for (const { line, get } of head.rows) {
    const gases = GasList.safeParse(get('gases'))
    if (!gases.success) {
      refused.push({
        line,
        name: get('name'),
        sentence: gases.error.issues[0]?.message ?? 'The gases are missing.',
      })
      continue
    }
    const basis = get('calorific_basis')
    const boundary = get('boundary')
    for (const gas of gases.data) {
      lines.push({
        line,
        scopes: get('scope').split(/\s+/),
        use: get('use') === 'avoided' ? 'avoided' : 'inventory',
        category: get('category') || 'Other',
        name: get('name'),
        activity: get('activity') || null,
        region: get('region') || null,
        unit: get('unit'),
        calorificBasis: CALORIFIC_BASES.find((one) => one === basis) ?? null,
        boundary: BOUNDARIES.find((one) => one === boundary) ?? 'ttw',
        ...gas,
        year: null,
        validFrom: get('valid_from') || null,
        validTo: get('valid_to') || null,
        table: get('table') || null,
        rows: get('rows') || null,
        note: get('note') || null,
      })
    }
  }
  const year = Number(head.rows[0]?.get('valid_from').slice(0, 4)) || null
  const details = { publisher: '', title: '', edition: '', year, region: '', gwpSet: null, license: '' }
  return { form: 'own', lines, refused, details }
}
