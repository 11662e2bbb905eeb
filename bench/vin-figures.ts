// Prints how many real VINs are decoded correctly, each miss, and the decoding time. Needs ../shared/data.
import { decodeVin } from '#server/vehicles/index.ts'
import {
  hitsOf,
  readPairs,
  readToyotas,
  readVinCases,
  type VinPair,
} from '#test/factories/vehicles/vin-pairs.ts'

const NOW = new Date().getUTCFullYear()
const percent = (part: number, whole: number) => `${((part / whole) * 100).toFixed(2)} %`

const before = process.memoryUsage()
const begun = performance.now()
const { edition } = decodeVin('1HGCM82633A004352', NOW)
const cold = performance.now() - begun
const after = process.memoryUsage()

function report(name: string, pairs: readonly VinPair[] | null): void {
  if (pairs === null) {
    console.log(`${name}: not found`)
    return
  }
  const decoded = pairs.map((pair) => ({ pair, facts: decodeVin(pair.vin, NOW) }))
  const results = decoded.map(({ pair, facts }) => ({ pair, facts, hits: hitsOf(pair, facts) }))
  const share = (what: 'year' | 'make' | 'model' | 'sameModel') =>
    percent(results.filter(({ hits }) => hits[what]).length, results.length)
  console.log(
    `${name}: ${pairs.length} VINs; year ${share('year')}, make ${share('make')}, model ${share('model')} (same words ${share('sameModel')})`,
  )
  for (const { pair, facts, hits } of results) {
    if (hits.year && hits.make && hits.model) continue
    const { year, make, model } = facts.values
    const vehicle = [year, make, model].map((one) => one?.value ?? '?').join(' ')
    console.log(`  ${pair.vin} is a ${pair.year} ${pair.make} ${pair.model}, decoded as ${vehicle}`)
  }
}

console.log(`vPIC of ${edition}`)
report('decode_pairs', readPairs('vin/decode_pairs.csv'))
report('feed_pairs', readPairs('vin/feed_pairs.csv'))
for (const model of ['Camry', 'RAV4', 'Sienna', 'Tundra']) report(`Toyota ${model}`, readToyotas(model))
const cases = readVinCases() ?? []
const right = cases.filter(({ vin, isValid, isCheckDigitRight }) => {
  const { refusal, checkDigit } = decodeVin(vin, NOW)
  return (refusal === null) === isValid && (checkDigit.verdict === 'right') === isCheckDigitRight
})
console.log(`validation_cases: ${right.length} of ${cases.length} correct`)

const vins = (readPairs('vin/decode_pairs.csv') ?? []).map(({ vin }) => vin)
const times = Array.from({ length: 40 }, () => vins)
  .flat()
  .map((vin) => {
    const from = performance.now()
    decodeVin(vin, NOW)
    return performance.now() - from
  })
  .toSorted((one, other) => one - other)
const at = (share: number) => `${((times[Math.floor(times.length * share)] ?? 0) * 1000).toFixed(0)} µs`
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
console.log(
  `decoding: ${cold.toFixed(0)} ms for the first, with loading the table, then ${at(0.5)} (median), ${at(0.99)} (99th percentile)`,
)
console.log(
  `memory of the table: ${megabytes(after.arrayBuffers - before.arrayBuffers)} outside the heap, resident memory +${megabytes(after.rss - before.rss)}`,
)
