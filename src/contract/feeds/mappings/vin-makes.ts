/** VIN prefixes (world manufacturer identifiers) of common makes: enough to suggest a make, not to decode VINs. */
const PREFIXES: readonly (readonly [make: string, starts: string])[] = [
  ['Toyota', '2T 4T JT 5TD 5TF 5TB 5TE 7MU 7SV'],
  ['Lexus', 'JTH JTJ 2T2 58A'],
  ['Honda', '1HG 2HG 5FN 5J6 JHM 7FA 2HK 3HG 19X SHH'],
  ['Acura', 'JH4 19U 5J8 2HN'],
  ['Ford', '1FA 1FB 1FC 1FD 1FM 1FT 2FA 2FM 2FT 3FA 3FM 3FT NM0 WF0'],
  ['Lincoln', '1LN 2LM 3LN 5LM 2LJ'],
  ['Chevrolet', '1G1 1GC 1GN 2G1 2GC 2GN 3G1 3GC 3GN KL7 KL8 1GB'],
  ['GMC', '1GK 1GT 2GK 2GT 3GK 3GT 1GD'],
  ['Cadillac', '1G6 1GY 3GY'],
  ['Buick', '1G4 2G4 5GA KL4 LRB'],
  ['Ram', '1C6 3C6 3C7'],
  ['Dodge', '1B3 1B7 2B3 2C3 1C3 3C4 1D7 1D8 2D4'],
  ['Jeep', '1C4 1J4 1J8 ZAC'],
  ['Nissan', '1N4 1N6 3N1 3N8 5N1 JN1 JN8'],
  ['Infiniti', 'JNK JNR 5N3 3PC'],
  ['Hyundai', 'KMH 5NM 5NP KM8'],
  ['Kia', 'KNA KND 5XX 5XY 3KP'],
  ['Mazda', 'JM1 JM3 3MZ 3MV 7MM 4F4'],
  ['Subaru', 'JF1 JF2 4S3 4S4'],
  ['Mitsubishi', 'JA3 JA4 4A3 4A4 ML3'],
  ['Volkswagen', 'WVW WVG 3VW 1VW 1V2 3VV'],
  ['Audi', 'WAU WA1 TRU WUA'],
  ['BMW', 'WBA WBS WBX 5UX 5YM 3MW 3MF WBY'],
  ['Mercedes-Benz', 'WDB WDD WDC 4JG W1K W1N W1V 55S WD3 WD4'],
  ['Volvo', 'YV1 YV4 7JR LVY'],
  ['Porsche', 'WP0 WP1'],
  ['Tesla', '5YJ 7SA LRW XP7'],
  ['Land Rover', 'SAL'],
  ['Jaguar', 'SAJ SAD'],
]

/** The make of at least 90% of these VINs; null if there is none. */
export function suggestMake(vins: readonly string[]): { name: string; share: number } | null {
  const full = vins.filter((vin) => vin.length === 17)
  if (full.length === 0) return null
  const counts = new Map<string, number>()
  for (const vin of full) {
    const name = makeOf(vin.toUpperCase())
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const [best] = [...counts].toSorted(([, one], [, other]) => other - one)
  const share = (best?.[1] ?? 0) / full.length
  return best !== undefined && share >= 0.9 ? { name: best[0], share } : null
}

/** The longest matching prefix wins: 2T2 is a Lexus, 2T a Toyota. */
function makeOf(vin: string): string | undefined {
  const fitting = PREFIXES.flatMap(([make, starts]) =>
    starts.split(' ').flatMap((start) => (vin.startsWith(start) ? [{ make, length: start.length }] : [])),
  )
  return fitting.toSorted((one, other) => other.length - one.length)[0]?.make
}
