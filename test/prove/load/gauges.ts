import type { Product } from '../../../bench/product.ts'

/** Connections in use by requests and exports, requests waiting for one, and open files of the process. */
export type Gauges = { requests: number; exports: number; waiting: number; openFiles: number }

/** Reads the metrics. Only these pools, because the scrape itself uses connections of the others. */
export async function readGauges({ address }: Pick<Product, 'address'>): Promise<Gauges> {
  const metrics = await (await fetch(`${address}/metrics`)).text()
  const read = (name: string): number =>
    metrics
      .split('\n')
      .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
  return {
    requests: read('forecourt_pool_busy{pool="requests"}'),
    exports: read('forecourt_pool_busy{pool="exports"}'),
    waiting: read('forecourt_pool_waiting'),
    openFiles: read('process_open_fds'),
  }
}
