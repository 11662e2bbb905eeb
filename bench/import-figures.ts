// Measures only imports and single saves: `npm run import-figures [rows] [rows for the memory] [vehicles]`. With a number of
// vehicles, it measures what writes cost in a database with that many, compared with an empty one.
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { importerOf } from './import-feed.ts'
import { layOut } from './generate.ts'
import { measureFull } from './measure-full.ts'
import { measureImport, measureImportMemory } from './measure-import.ts'
import { onProduct } from './product.ts'

const [rows = 0, many = 0, vehicles = 0] = [20_000, 0, 0].map((usual, at) =>
  Number(process.argv[2 + at] ?? usual),
)
const folder = resolve('.forecourt-bench')
const [home, emptyHome] = [join(folder, 'full'), join(folder, 'empty')]
await rm(folder, { recursive: true, force: true })
for (const each of [home, emptyHome]) await mkdir(each, { recursive: true, mode: 0o700 })
try {
  if (vehicles === 0) {
    await onProduct(home, async () => {})
    for (const row of await onProduct(home, (product) => measureImport(product, home, rows))) console.log(row)
  } else {
    await onProduct(home, () => layOut(home, vehicles))
    const figures = await onProduct(emptyHome, (empty) =>
      onProduct(home, async (full) =>
        measureFull({
          full: await importerOf(full, home),
          empty: await importerOf(empty, emptyHome),
          rows,
        }),
      ),
    )
    for (const row of figures) console.log(row)
  }
  if (many > 0) console.log(await onProduct(home, (product) => measureImportMemory(product, home, many)))
} finally {
  await rm(folder, { recursive: true, force: true })
}
