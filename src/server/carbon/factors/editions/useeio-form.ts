import { findHead } from './cells.ts'
import type { Cells, EditionLine, ReadForm, RefusedLine } from './edition-line.ts'
import type { Sheet } from '#server/spreadsheets/sheet.ts'

const WITH = 'supply chain emission factors with margins'
const WITHOUT = 'supply chain emission factors without margins'
const HEAD = [/naics code$/, /naics title$/, /^ghg$/, /^unit$/, new RegExp(`^${WITH}$`)]

/** The EPA supply chain factors by NAICS code, in kg per dollar; null if the sheet has another format. */
export function readUseeioForm(table: Sheet): ReadForm | null {
  const head = findHead(table, HEAD)
  if (head === null) return null
  const code = head.names.find((name) => name.endsWith('naics code')) ?? ''
  const title = head.names.find((name) => name.endsWith('naics title')) ?? ''
  const lines: EditionLine[] = []
  const refused: RefusedLine[] = []
  for (const cells of head.rows) {
    const name = `${cells.get(code)} ${cells.get(title)}`.trim()
    const money = /(\d{4}) USD/.exec(cells.get('unit'))
    if (money === null) {
      const sentence = `\u201c${cells.get('unit')}\u201d isn't a unit in US dollars of a year.`
      refused.push({ line: cells.line, name, sentence })
      continue
    }
    lines.push(
      figure(cells, { name, year: Number(money[1]), column: WITH, margins: 'with margins' }),
      figure(cells, { name, year: Number(money[1]), column: WITHOUT, margins: 'without margins' }),
    )
  }
  return {
    form: 'useeio',
    lines: lines.filter(({ kg }) => kg !== ''),
    refused,
    details: {
      publisher: 'US EPA',
      title: 'Supply Chain Greenhouse Gas Emission Factors by NAICS-6',
      edition: '',
      year: lines[0]?.year ?? null,
      region: 'US',
      gwpSet: lines.some(({ gas }) => gas === 'CO2e') ? 'AR5' : null,
      license: 'US-PD',
    },
  }
}

type Column = { name: string; year: number; column: string; margins: string }

function figure({ line, get }: Cells, { name, year, column, margins }: Column): EditionLine {
  const gas = { 'all ghgs': 'CO2e', 'carbon dioxide': 'CO2', methane: 'CH4', 'nitrous oxide': 'N2O' }
  const written = get('ghg')
  const known = new Map(Object.entries(gas)).get(written.toLowerCase()) ?? written
  return {
    line,
    scopes: ['3.1', '3.2'],
    use: 'inventory',
    category: `Spend-based > ${margins}`,
    name,
    activity: null,
    region: null,
    unit: `USD (${year})`,
    calorificBasis: null,
    boundary: margins === 'with margins' ? 'supply' : 'cradle-to-gate',
    gas: known,
    isBiogenic: false,
    basis: known === 'CO2e' ? 'co2e' : 'gas',
    kg: get(column),
    year,
    validFrom: null,
    validTo: null,
    table: 'Supply chain factors by NAICS-6',
    rows: `line ${line}`,
    note: null,
  }
}
