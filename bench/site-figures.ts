// Measures only the public site and the question model: `npm run site-figures`. Nothing else runs at the same time.
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { measureQuestions } from './measure-questions.ts'
import { measureSite } from './measure-site.ts'
import { startProduct } from './product.ts'

const home = resolve('.forecourt-bench-site')
await rm(home, { recursive: true, force: true })
try {
  // Visitors come from several addresses.
  const product = await startProduct(home, [], { TRUST_PROXY: '1' })
  try {
    for (const row of [...(await measureSite(product)), measureQuestions()])
      console.log(`| ${row.what} | ${row.measured} | ${row.comparison} | ${row.ratio} |`)
  } finally {
    await product.stop()
  }
} finally {
  await rm(home, { recursive: true, force: true })
}
