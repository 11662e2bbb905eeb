// Measures only imports: `npm run import-figures [rows] [rows for the memory]`.
import { mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { measureImport, measureImportMemory } from './measure-import.ts'
import { onProduct } from './product.ts'

const [rows = '20000', many = '0'] = process.argv.slice(2)
const home = resolve('.forecourt-bench')
await rm(home, { recursive: true, force: true })
await mkdir(home, { recursive: true, mode: 0o700 })
try {
  await onProduct(home, async () => {})
  const figures = await onProduct(home, (product) => measureImport(product, home, Number(rows)))
  for (const row of figures) console.log(row)
  if (Number(many) > 0) {
    console.log(await onProduct(home, (product) => measureImportMemory(product, home, Number(many))))
  }
} finally {
  await rm(home, { recursive: true, force: true })
}
