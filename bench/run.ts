// Measures the product and writes bench/RESULTS.md. Every figure is shown with its limit or baseline, measured in
// the same run, because the machine's own speed drifts.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { lots } from '#contract/customers/lots/lots.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { lotTable } from '#server/customers/index.ts'
import { vehicleReading } from '#server/vehicles/index.ts'
import { importerOf } from './import-feed.ts'
import type { ListCall } from './list-transaction.ts'
import { measureCarbon } from './measure-carbon.ts'
import { measurePricing } from './measure-pricing.ts'
import { measureAnswers } from './measure-answers.ts'
import { measureRepricing } from './measure-repricing.ts'
import { measureFacets } from './measure-facets.ts'
import { measureFull } from './measure-full.ts'
import { measureLeads } from './measure-leads.ts'
import { measureImport, measureImportMemory } from './measure-import.ts'
import { measureDepth, measureList } from './measure-list.ts'
import { measureManyCustomers } from './measure-many.ts'
import { measurePublished } from './measure-published.ts'
import { measureQuestions } from './measure-questions.ts'
import { measureScrolling } from './measure-scrolling.ts'
import { measureSearch } from './measure-search.ts'
import { measureSite } from './measure-site.ts'
import { measureSignIn } from './measure-sign-in.ts'
import { measureToken } from './measure-token.ts'
import { measureVin } from './measure-vin.ts'
import { measureWeb } from './measure-web.ts'
import { onProduct, startProduct } from './product.ts'
import { asOwner, layOut } from './generate.ts'

export type Row = { what: string; measured: string; comparison: string; ratio: string }
const lineOf = ({ what, measured, comparison, ratio }: Row): string =>
  `| ${what} | ${measured} | ${comparison} | ${ratio} |`

const lotList: ListCall<typeof lots.list.input> = {
  name: 'lots.list',
  endpoint: lots.list,
  asked: { sort: 'name' },
  read: lotTable.handlers.list,
}
const VEHICLES =
  'vehicle list, one tenant of 20,000 in 1,000,000 (2,000,000 with the skewed one), filter + sort, 50 rows, both counts, over HTTP'
const vehicleList: ListCall<typeof vehicles.list.input> = {
  name: 'vehicles.list',
  endpoint: vehicles.list,
  asked: { sort: '-price', filter: 'status == "live" && price > 20000' },
  read: vehicleReading.list,
}

const folder = resolve('.forecourt-bench')
const [home, emptyHome] = [join(folder, 'full'), join(folder, 'empty')]
await rm(folder, { recursive: true, force: true })
for (const each of [home, emptyHome]) await mkdir(each, { recursive: true, mode: 0o700 })
const rows: Row[] = []
/** Prints each row immediately, so that a later failure loses nothing. */
const note = (...more: readonly Row[]): void => {
  rows.push(...more)
  for (const row of more) console.log(lineOf(row))
}

try {
  const cold = await startProduct(home)
  await cold.stop()
  // Visitors of the public site come from several addresses.
  const second = await startProduct(home, [], { TRUST_PROXY: '1' })
  note({
    what: 'start: new database with demo data, then a second start',
    measured: `${(cold.readyMs / 1000).toFixed(2)} s, then ${(second.readyMs / 1000).toFixed(2)} s`,
    comparison: 'limit for the second: 3 s',
    ratio: (second.readyMs / 3000).toFixed(2),
  })
  try {
    const idleMb = await second.rssMb()
    note(...(await measureWeb()))
    await layOut(home)
    note(await measureToken())
    note(...(await measureSite(second)))
    note(measureVin())
    note(measureQuestions())
    note(await measureList(second, home, 'lot list, 50 of 200 rows, over HTTP', lotList))
    note(await measureList(second, home, VEHICLES, vehicleList))
    note(await measureDepth(second, vehicleList, 60))
    note(await asOwner(home, measureManyCustomers))
    note(...(await measureSearch(second)))
    note(await measureAnswers(second))
    note(...(await measurePricing(second)))
    note(await measureLeads(second, home))
    note(...(await asOwner(home, (client) => measureRepricing(second, client))))
    note(...(await measureFacets(second)))
    note(...(await measurePublished(second)))
    note(...(await measureScrolling(second)))
    note(...(await measureSignIn(second)))
    const full = await importerOf(second, home)
    note(
      ...(await onProduct(emptyHome, async (product) =>
        measureFull({ full, empty: await importerOf(product, emptyHome), rows: 20_000 }),
      )),
    )
    note(...(await measureImport(second, home, 100_000)))
    note({
      what: 'resident memory of the server, idle after start and after all measurements',
      measured: `${idleMb} MB, then ${await second.rssMb()} MB`,
      comparison: 'limit idle: 250 MB',
      ratio: (idleMb / 250).toFixed(2),
    })
  } finally {
    await second.stop()
  }
  note(...(await measureCarbon(home, 1_000_000)))
  // A fresh process, without code and garbage from earlier measurements.
  note(await onProduct(home, (third) => measureImportMemory(third, home, 1_000_000)))
} finally {
  await rm(folder, { recursive: true, force: true })
}

const [cpu] = cpus()
const text = `# Measurements

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}, embedded PostgreSQL.
Figures of one run on a shared machine, so only the ratios are meaningful. Load generator, server and database share the cores.

| what | measured | compared with | ratio |
|---|---|---|---|
${rows.map(lineOf).join('\n')}
`
await writeFile(join('bench', 'RESULTS.md'), text)
