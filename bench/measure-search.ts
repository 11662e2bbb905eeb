import { search } from '#contract/home/search.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { median } from './load.ts'
import type { Product } from './product.ts'
import type { Row } from './run.ts'
import { signIn } from './sign-in.ts'

const ROUNDS = 30

/** Searches in the tenant with a million vehicles, one call after another: the waiting time of one user. */
export async function measureSearch(product: Product): Promise<Row[]> {
  const token = await signIn(product.address, 'harbor.dealer')
  const timeOf = async (path: string, words: readonly string[]) => {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const word = words[round % words.length] ?? ''
      const startedAt = performance.now()
      const answer = await fetch(`${product.address}${path}${encodeURIComponent(word)}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      if (!answer.ok) throw new Error(`The search for ${word} returned ${answer.status}.`)
      await answer.text()
      times.push(performance.now() - startedAt)
    }
    return median(times)
  }
  const rare = await timeOf(`${vehicles.list.path}?search=`, ['00F3A1', '0BEEF0', '00C0DE', '000ACE'])
  const common = await timeOf(`${vehicles.list.path}?search=`, ['explorer', 'camry', 'model 3'])
  const prefix = await timeOf(`${search.find.path}?text=`, ['1FB0', 'wrang', 'alti', 'ford ex'])
  return [
    row('list search for part of a VIN, tenant with 1,000,000 vehicles, over HTTP', rare, 30),
    {
      ...row('', common, 30),
      what: 'list search for a word in 30,000 to 120,000 vehicles, same tenant, with exact count',
      comparison: 'no goal: reads as many rows',
    },
    row('command palette: prefix search over all record types, same tenant, over HTTP', prefix, 5),
  ]
}

const row = (what: string, ms: number, limit: number): Row => ({
  what,
  measured: `${ms.toFixed(1)} ms`,
  comparison: `goal ${limit} ms`,
  ratio: (ms / limit).toFixed(2),
})
