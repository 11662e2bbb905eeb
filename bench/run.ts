// Measures the product as it is and writes bench/RESULTS.md. Every figure stands beside its limit or peer, measured in
// the same run, because the machine's own speed drifts.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { measureList } from './measure-list.ts'
import { measureSignIn } from './measure-sign-in.ts'
import { measureToken } from './measure-token.ts'
import { measureWeb } from './measure-web.ts'
import { startProduct } from './product.ts'
import { addCustomers } from './generate.ts'

export type Row = { what: string; measured: string; beside: string; ratio: string }

const home = resolve('.forecourt-bench')
await rm(home, { recursive: true, force: true })
await mkdir(home, { recursive: true, mode: 0o700 })
const rows: Row[] = []

try {
  const cold = await startProduct(home)
  await cold.stop()
  const second = await startProduct(home)
  rows.push({
    what: 'start: new database with demo world, then again',
    measured: `${(cold.readyMs / 1000).toFixed(2)} s, again ${(second.readyMs / 1000).toFixed(2)} s`,
    beside: 'limit for the second: 3 s',
    ratio: (second.readyMs / 3000).toFixed(2),
  })
  try {
    const idleMb = await second.rssMb()
    rows.push(...(await measureWeb()))
    await addCustomers(home, { customers: 50, lotsEach: 200 })
    rows.push(await measureToken())
    rows.push(...(await measureList(second, home)))
    rows.push(...(await measureSignIn(second)))
    rows.push({
      what: 'memory of the server, resident, idle after its start and after all this',
      measured: `${idleMb} MB, then ${await second.rssMb()} MB`,
      beside: 'limit idle: 250 MB',
      ratio: (idleMb / 250).toFixed(2),
    })
  } finally {
    await second.stop()
  }
} finally {
  await rm(home, { recursive: true, force: true })
}

const [cpu] = cpus()
const table = rows.map(
  ({ what, measured, beside, ratio }) => `| ${what} | ${measured} | ${beside} | ${ratio} |`,
)
const text = `# Measurements

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}, embedded PostgreSQL.
Figures of one run on a shared machine: the ratio is what counts. Load generator, server and database share the cores.

| what | measured | beside | ratio |
|---|---|---|---|
${table.join('\n')}
`
await writeFile(join('bench', 'RESULTS.md'), text)
console.log(text)
