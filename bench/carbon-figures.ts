// Measures only carbon: `npm run carbon-figures [records]`. Nothing else runs at the same time, not even the product.
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { measureCarbon } from './measure-carbon.ts'
import { startProduct } from './product.ts'

const home = resolve('.forecourt-bench-carbon')
await rm(home, { recursive: true, force: true })
try {
  const product = await startProduct(home)
  await product.stop()
  for (const row of await measureCarbon(home, Number(process.argv[2] ?? 1_000_000))) {
    console.log(`| ${row.what} | ${row.measured} | ${row.comparison} | ${row.ratio} |`)
  }
} finally {
  await rm(home, { recursive: true, force: true })
}
