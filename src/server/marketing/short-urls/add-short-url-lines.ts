import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import { shortUrlRecord, type shortUrls } from '#contract/marketing/short-urls/short-urls.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { Failure, refused } from '#server/http/failure.ts'
import { addShortUrl } from './short-url-table.ts'

const MAX_LINES = 200
/** More are no help. */
const MAX_SHOWN = 10

type Line = Readonly<{ at: number; target: string; key: string | undefined; name: string }>
type NamedRecord = Readonly<{ id: string; name: string }>

/**
 * Adds a short URL for each line: a stock number, a VIN, the path of a form or page, or a web address, then a key or a hyphen, then a
 * name, all but the target optional. All of them or none.
 * @throws Failure 400 that names the lines that are wrong
 */
export async function addShortUrlLines(
  db: Database,
  { lines: text, tags }: Received<typeof shortUrls.addMany>,
): Promise<{ ids: string[] }> {
  const lines = readLines(text)
  if (lines.length > MAX_LINES) throw wrong([`Enter at most ${MAX_LINES} lines.`])
  const [vehicles, forms, pages] = [
    await findVehicles(db, lines),
    await findByPath(db, lines, 'forms'),
    await findByPath(db, lines, 'pages'),
  ]
  const problems: string[] = []
  const ids: string[] = []
  for (const { at, target, key, name } of lines) {
    const found = targetOf(target, { vehicles, forms, pages })
    const input =
      found === null
        ? null
        : shortUrlRecord.create.safeParse({ ...found, ...(name !== '' && { name }), key, tags })
    if (input === null)
      problems.push(`Line ${at}: ${target} is no stock number, VIN, form, page or web address of https.`)
    else if (!input.success) problems.push(`Line ${at}: ${input.error.issues[0]?.message ?? ''}`)
    else if (problems.length === 0) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- One transaction.
        ids.push((await addShortUrl(db, input.data)).id)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        // The transaction is over: the other lines can't be tried.
        throw wrong([`Line ${at}: ${Object.values(error.fields ?? {})[0] ?? error.message}`])
      }
    }
  }
  if (problems.length > 0) throw wrong(problems)
  return { ids }
}

function wrong(problems: readonly string[]): Failure {
  const more = problems.length - MAX_SHOWN
  const shown = [...problems.slice(0, MAX_SHOWN), ...(more > 0 ? [`And ${more} more.`] : [])]
  return refused('Nothing was added, because some lines are wrong.', { lines: shown.join(' ') })
}

function readLines(text: string): Line[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    // Columns of a sheet are separated by tabs, and a stock number may have spaces.
    const [target = '', key = '', ...name] = line.includes('\t') ? line.split('\t') : line.trim().split(/\s+/)
    if (target.trim() === '') return []
    const own = key.trim()
    return [
      {
        at: index + 1,
        target: target.trim(),
        key: own === '' || own === '-' ? undefined : own,
        name: name.join(' ').trim(),
      },
    ]
  })
}

function targetOf(
  text: string,
  {
    vehicles,
    forms,
    pages,
  }: Readonly<Record<'vehicles' | 'forms' | 'pages', ReadonlyMap<string, NamedRecord>>>,
) {
  if (/^[a-z][a-z0-9+.-]*:/i.test(text)) {
    const name = (URL.canParse(text) && new URL(text).hostname) || text
    return { target: 'url', url: text, name: name.slice(0, 100) }
  }
  const vehicle = vehicles.get(text.toUpperCase())
  if (vehicle !== undefined) return { target: 'vehicle', vehicleId: vehicle.id, name: vehicle.name }
  const page = pages.get(text)
  if (page !== undefined) return { target: 'page', pageId: page.id, name: page.name }
  const form = forms.get(text)
  return form === undefined ? null : { target: 'form', formId: form.id, name: form.name }
}

/** By stock number and VIN in uppercase. */
async function findVehicles(db: Database, lines: readonly Line[]): Promise<ReadonlyMap<string, NamedRecord>> {
  const wanted = lines.map(({ target }) => target.toUpperCase())
  const { rows } = await sql<{ id: string; name: string; stock: string | null; vin: string | null }>`
    select id::text, left(coalesce(nullif(concat_ws(' ', year, make, model, trim), ''), stock, vin), 100) as name,
      upper(stock) as stock, upper(vin) as vin
    from vehicles where stock_key = any(${wanted.map((code) => code.toLowerCase())}) or vin = any(${wanted}) order by id desc`.execute(
    db,
  )
  return new Map(
    rows.flatMap(({ stock, vin, ...found }) =>
      [stock, vin].flatMap((code) => (code === null ? [] : [[code, found] as const])),
    ),
  )
}

/** By path: "/f/test-drive" or "/p/truck-clearance". */
async function findByPath(
  db: Database,
  lines: readonly Line[],
  kind: 'forms' | 'pages',
): Promise<ReadonlyMap<string, NamedRecord>> {
  const prefix = kind === 'forms' ? '/f/' : '/p/'
  const keys = lines.flatMap(({ target }) => (target.startsWith(prefix) ? [target.slice(prefix.length)] : []))
  const { rows } = await (
    kind === 'forms'
      ? sql<NamedRecord & { key: string }>`select id::text, name, key from forms where key = any(${keys})`
      : sql<
          NamedRecord & { key: string }
        >`select id::text, name, slug as key from promo_pages where slug = any(${keys})`
  ).execute(db)
  return new Map(rows.map(({ key, ...found }) => [`${prefix}${key}`, found]))
}
