import { decodeVin } from '#server/vehicles/index.ts'
import type { Row } from './run.ts'

const ROUNDS = 20_000
/** VINs of manufacturers with many and with few patterns, typical of dealer lots. */
const VINS = [
  '1FTFW5L86RFB45612',
  '1HGCM82633A004352',
  '5YJSA1E21HF186172',
  '1FA6P8CF1J5109084',
  'JTDKARFU1J3073485',
  '1M8GDM9AXKP042788',
]

/** Compares decoding a VIN with a lookup in a map of decoded VINs. */
export function measureVin(): Row {
  const answers = new Map(VINS.map((vin) => [vin, decodeVin(vin, 2026)]))
  const time = (read: (vin: string) => unknown): number => {
    const begun = performance.now()
    for (let n = 0; n < ROUNDS; n += 1) read(VINS[n % VINS.length] ?? '')
    return ((performance.now() - begun) / ROUNDS) * 1000
  }
  time((vin) => decodeVin(vin, 2026))
  const ours = time((vin) => decodeVin(vin, 2026))
  const bare = time((vin) => answers.get(vin))
  return {
    what: 'decoding a VIN with the table in memory',
    measured: `${ours.toFixed(0)} µs, ${Math.round(1_000_000 / ours).toLocaleString('en')}/s`,
    comparison: `lookup in a map ${(bare * 1000).toFixed(0)} ns; goal 300 µs`,
    ratio: (ours / 300).toFixed(2),
  }
}
