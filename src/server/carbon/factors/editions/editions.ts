import { sql } from 'kysely'
import {
  EditionDetails,
  type EditionPreview,
  type factorEditions,
  MAX_EDITION_BYTES,
  MAX_REFUSED,
} from '#contract/carbon/factors/factor-editions.ts'
import type { FactorDataset } from '#contract/carbon/factors/factors.ts'
import { fieldSentences, sentenceOf } from '#contract/field-sentences.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import { conflict, notFound, refused } from '#server/http/failure.ts'
import { Download, type Upload } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import { requireCustomerReach } from '#server/http/whole-customer.ts'
import { lockAllOpenInventoryRows } from '#server/carbon/staleness/lock-inventory-row.ts'
import { markSourcesStale } from '#server/carbon/staleness/mark-sources-stale.ts'
import { readGwps, readUnitTable } from '../measures.ts'
import { readActivityPaths } from './activity-paths.ts'
import { readDesnzForm } from './desnz-form.ts'
import type { ReadForm } from './edition-line.ts'
import { saveEdition } from './save-edition.ts'
import { readLongForm } from './long-form.ts'
import { type EditionFactor, makeFactors } from './make-factors.ts'
import { readOwnForm } from './own-form.ts'
import { JSON_REFUSALS, parseJson } from '#server/threads/parse-json.ts'
import { readSpreadsheet, wrongFile } from '#server/spreadsheets/read-spreadsheet.ts'
import type { Sheet } from '#server/spreadsheets/sheet.ts'
import { rejectTruncated } from '#server/carbon/factors/read-sheet-file.ts'
import { readUseeioForm } from './useeio-form.ts'

/** One line per gas; the two lines are one factor. */
const TEMPLATE = `scope,category,name,activity_path,region,unit,calorific_basis,boundary,gas,kg,basis,biogenic,valid_from,valid_to,table,rows,note
1,Stationary combustion,Natural gas,combustion/natural-gas,CA-ON,m3,,ttw,CO2,1.921,gas,no,2025-01-01,2025-12-31,Table A6.1,Ontario,
1,Stationary combustion,Natural gas,combustion/natural-gas,CA-ON,m3,,ttw,CH4,0.000037,gas,no,2025-01-01,2025-12-31,Table A6.1,Ontario,
`

const WHAT = 'Factor editions are imported and deleted'
const FORMS = [readOwnForm, readLongForm, readDesnzForm, readUseeioForm]
const SAMPLE = 12

/** Editions of emission factors, imported from files. */
export const factorEditionHandlers: Handlers<typeof factorEditions> = {
  async read({ actor, inTenant, files }) {
    const form = await readForm(files, actor.customerId)
    const { details } = form
    const edition = {
      year: details.year ?? Number(clock.today(actor.timeZone).slice(0, 4)),
      region: details.region || 'any',
    }
    const made = await inTenant((db) => make(db, form, edition))
    return preview(form, made)
  },

  async add({ actor, inTenant, input, files }) {
    const details = readDetails(input.details)
    requireCustomerReach(actor, WHAT)
    const form = await readForm(files, actor.customerId)
    return inTenant(async (db) => {
      const { factors } = await make(db, form, details)
      if (factors.length === 0) throw wrongFile('This file contains no valid factors.')
      await lockAllOpenInventoryRows(db)
      const id = await saveEdition(db, details, factors).catch((error: unknown) => {
        if (!isViolation(error, 'unique')) throw error
        throw conflict('This edition already exists. Delete it first, or enter another edition name.', {
          edition: 'This edition already exists.',
        })
      })
      await markSourcesStale(db, [...new Set(factors.map(({ activity }) => activity))])
      return readEdition(db, id)
    })
  },

  async remove({ db, actor, input }) {
    await readEdition(db, input.id)
    requireCustomerReach(actor, WHAT)
    // Waits for transactions that are choosing or calculating with one of its factors.
    await lockAllOpenInventoryRows(db)
    const { rows: used } = await sql`
      select from emission_factors f where f.dataset_id = ${input.id} and (
        exists (select from calculation_totals r where r.customer_id = f.customer_id and r.factor_id = f.id)
        or exists (select from emission_sources s where s.customer_id = f.customer_id and s.factor_id = f.id)
        or exists (select from activity_records a where a.customer_id = f.customer_id and a.factor_id = f.id))
      limit 1`.execute(db)
    if (used.length > 0) throw conflict("This edition can't be deleted because its factors are in use.")
    // The settings of a frozen inventory are part of how its figures came about.
    const { rows: listed } = await sql<{ name: string }>`
      select name from carbon_inventories where status in ('approved', 'locked', 'restated')
        and datasets @> array[${input.id}::bigint] order by period_start desc, id limit 1`.execute(db)
    if (listed[0] !== undefined)
      throw conflict(
        `This edition can't be deleted because it is one of the preferred datasets of ${listed[0].name}.`,
      )
    await db.deleteFrom('factorDatasets').where('id', '=', input.id).execute()
    return null
  },

  template: async () =>
    new Download({ name: 'factors.csv', type: 'text/csv; charset=utf-8', body: Buffer.from(TEMPLATE) }),
}

/** Reads the uploaded file in the first format that matches one of its sheets. */
async function readForm(files: Upload, customerId: string): Promise<ReadForm> {
  let read: ReadForm | null = null
  for await (const { stream } of files) {
    if (read !== null) throw wrongFile('Upload one file at a time.')
    read = detectForm(await readSpreadsheet(stream, { customerId, maxBytes: MAX_EDITION_BYTES }))
  }
  if (read === null) throw wrongFile('Choose a file.')
  return read
}

function detectForm(sheets: readonly Sheet[]): ReadForm {
  for (const sheet of sheets) {
    for (const read of FORMS) {
      const form = read(sheet)
      if (form === null) continue
      rejectTruncated(sheet)
      return form
    }
  }
  throw wrongFile(
    'No sheet in this file has a known format. It needs a header row with gas, unit, name and kg, as in the template.',
  )
}

async function make(db: Database, form: ReadForm, edition: { year: number; region: string }) {
  const [units, gwps, paths] = [await readUnitTable(db), await readGwps(db), await readActivityPaths(db)]
  return makeFactors(form.lines, edition, { units, paths, gases: new Set(gwps.map(({ gas }) => gas)) })
}

function preview(form: ReadForm, made: ReturnType<typeof makeFactors>): EditionPreview {
  const all = [...form.refused, ...made.refused].toSorted((one, other) => one.line - other.line)
  const lines = new Set([...form.lines, ...form.refused].map(({ line }) => line))
  return {
    form: form.form,
    details: form.details,
    lines: lines.size,
    factors: made.factors.length,
    known: made.factors.filter(({ isKnown }) => isKnown).length,
    refusedLines: new Set(all.map(({ line }) => line)).size,
    refused: all.slice(0, MAX_REFUSED),
    sample: made.factors.slice(0, SAMPLE).map(showSample),
  }
}

function showSample({ name, category, activity, scopes, region, unit, gases }: EditionFactor) {
  return { name, category, activity, scopes, region, unit, gases }
}

function readDetails(text: string): EditionDetails {
  const parsed = parseJson(text)
  if (parsed.kind !== 'json')
    throw refused('Some fields are invalid.', { details: JSON_REFUSALS[parsed.kind] })
  const read = EditionDetails.safeParse(parsed.value, { error: sentenceOf })
  if (read.success) return read.data
  throw refused('Some fields are invalid.', fieldSentences(read.error))
}

async function readEdition(db: Database, id: string): Promise<FactorDataset> {
  const { rows } = await sql<FactorDataset>`
    select d.id::text, 'imported' as origin, d.publisher, d.title, d.edition, d.year, d.region, d.gwp_set, d.license,
      d.attribution, d.url, (select count(*)::int from emission_factors f where f.dataset_id = d.id) as factors
    from factor_datasets d where d.id = ${id}`.execute(db)
  const [edition] = rows
  if (edition === undefined) throw notFound('Edition')
  return edition
}
