// Measures only leads, from the form post to the route, three times: `npm run lead-figures`.
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { measureLeads } from './measure-leads.ts'
import { startProduct } from './product.ts'

const home = resolve('.forecourt-bench-leads')
await rm(home, { recursive: true, force: true })
try {
  // Visitors come from several addresses.
  const product = await startProduct(home, [], { TRUST_PROXY: '1' })
  try {
    for (let run = 0; run < 3; run += 1) {
      const row = await measureLeads(product, home)
      console.log(`| ${row.what} | ${row.measured} | ${row.comparison} | ${row.ratio} |`)
    }
  } finally {
    await product.stop()
  }
} finally {
  await rm(home, { recursive: true, force: true })
}
