import { decodeVin } from '#server/inventory/index.ts'
import type { Row } from './run.ts'

const ROUNDS = 20_000
/** Of makers with many patterns and with few: what dealers have on their lots. */
const VINS = [
  '1FTFW5L86RFB45612',
  '1HGCM82633A004352',
  '5YJSA1E21HF186172',
  '1FA6P8CF1J5109084',
  'JTDKARFU1J3073485',
  '1M8GDM9AXKP042788',
]

/** Decoding a VIN, beside looking it up in a map that has its answer already. */
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
    what: 'decoding a VIN, the table in memory',
    measured: `${ours.toFixed(0)} µs, ${Math.round(1_000_000 / ours).toLocaleString('en')}/s`,
    beside: `a map that has the answer ${(bare * 1000).toFixed(0)} ns; goal 300 µs`,
    ratio: (ours / 300).toFixed(2),
  }
}
