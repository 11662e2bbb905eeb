// Measures what a change of a price rule costs, without the other measurements of `npm run bench`:
// node tools/run.mjs bench/pricing-figures.ts [vehicles in total] [number of rules]
import { mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { asOwner, layOut, TWO_MILLION } from './generate.ts'
import { measurePricing } from './measure-pricing.ts'
import { measureRepricing } from './measure-repricing.ts'
import { onProduct } from './product.ts'

const [vehicles = TWO_MILLION, rules] = process.argv.slice(2).map(Number)
const home = resolve('.forecourt-pricing-bench')
await rm(home, { recursive: true, force: true })
await mkdir(home, { recursive: true, mode: 0o700 })
try {
  await onProduct(home, async (product) => {
    await layOut(home, vehicles)
    const rows = [
      ...(await measurePricing(product)),
      ...(await asOwner(home, (client) => measureRepricing(product, client, rules))),
    ]
    for (const { what, measured, comparison, ratio } of rows)
      console.log(`| ${what} | ${measured} | ${comparison} | ${ratio} |`)
  })
} finally {
  await rm(home, { recursive: true, force: true })
}
