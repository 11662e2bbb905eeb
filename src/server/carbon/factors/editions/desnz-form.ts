import type { Boundary } from '#contract/carbon/factors/factor-schema.ts'
import { findHead } from './cells.ts'
import type { Cells, EditionLine, ReadForm, RefusedLine } from './edition-line.ts'
import type { Sheet } from '#server/spreadsheets/sheet.ts'

const HEAD = [/^level 1$/, /^uom$/, /^ghg\/unit$/, /^ghg conversion factor \d{4}$/]

/** The scope 3 categories of a chapter of the conversion factors. */
const SCOPE3: readonly (readonly [chapter: RegExp, scopes: readonly string[]])[] = [
  [/^wtt.*(freight|delivery)|^wtt- delivery/i, ['3.3', '3.4', '3.9']],
  [/^wtt.*business travel/i, ['3.3', '3.6']],
  [/^(wtt|transmission and distribution|uk electricity t&d)/i, ['3.3']],
  [/^freighting/i, ['3.4', '3.9']],
  [/^(business travel|hotel)/i, ['3.6']],
  [/^(homeworking|employee commuting)/i, ['3.7']],
  [/^managed assets/i, ['3.8', '3.13']],
  [/^(material use|water supply)/i, ['3.1']],
  [/^(waste disposal|water treatment)/i, ['3.5', '3.12']],
]

/** The flat file of the UK government's conversion factors; null if the sheet has another format. */
export function readDesnzForm(table: Sheet): ReadForm | null {
  const head = findHead(table, HEAD)
  if (head === null) return null
  const column = head.names.find((name) => name.startsWith('ghg conversion factor')) ?? ''
  const year = Number(column.slice(-4))
  const lines: EditionLine[] = []
  const refused: RefusedLine[] = []
  for (const cells of head.rows) {
    const read = readLine(cells, column, year)
    if (read === null) continue
    if ('sentence' in read) refused.push(read)
    else lines.push(read)
  }
  return {
    form: 'desnz',
    lines,
    refused,
    details: {
      publisher: 'UK DESNZ',
      title: 'UK Government GHG Conversion Factors for Company Reporting',
      edition: String(year),
      year,
      region: 'GB',
      gwpSet: year >= 2023 ? 'AR5' : 'AR4',
      license: 'OGL-UK-3.0',
    },
  }
}

/** Null: a line without a value, which the publisher leaves blank. */
function readLine({ line, get }: Cells, column: string, year: number): EditionLine | RefusedLine | null {
  const kg = get(column)
  const chapter = get('level 1')
  if (kg === '' || chapter === '') return null
  const name = [get('level 2'), get('level 3'), get('level 4'), get('column text')].filter(Boolean).join(', ')
  const scopes = readScopes(get('scope'), chapter)
  if (scopes === null) return { line, name, sentence: `Unknown scope \u201c${get('scope')}\u201d.` }
  const gas = /^kg CO2e(?: of (\w+))?/i.exec(get('ghg/unit'))
  if (gas === null) return { line, name, sentence: `\u201c${get('ghg/unit')}\u201d isn't in kg CO2e.` }
  return {
    line,
    scopes,
    use: 'inventory',
    category: chapter,
    name: name || chapter,
    activity: null,
    region: null,
    unit: get('uom'),
    calorificBasis: null,
    boundary: boundaryOf(chapter),
    gas: gas[1] ?? 'CO2e',
    // Only biogenic CO2 is reported outside the scopes.
    isBiogenic: scopes[0] === 'outside',
    basis: 'co2e',
    kg,
    year,
    validFrom: null,
    validTo: null,
    table: chapter,
    rows: get('id') === '' ? `line ${line}` : `flat file ${get('id')}`,
    note: null,
  }
}

function readScopes(scope: string, chapter: string): string[] | null {
  if (/^scope 1$/i.test(scope)) return ['1']
  if (/^scope 2$/i.test(scope)) return ['2']
  if (/^outside/i.test(scope)) return ['outside']
  if (!/^scope 3$/i.test(scope)) return null
  return [...(SCOPE3.find(([pattern]) => pattern.test(chapter))?.[1] ?? ['3'])]
}

function boundaryOf(chapter: string): Boundary {
  if (/^wtt/i.test(chapter)) return 'wtt'
  if (/transmission and distribution|t&d/i.test(chapter)) return 'td-loss'
  if (/electricity|heat and steam/i.test(chapter)) return 'generation'
  if (/waste/i.test(chapter)) return 'waste-treatment'
  if (/material use/i.test(chapter)) return 'cradle-to-gate'
  return 'ttw'
}
