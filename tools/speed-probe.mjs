// A fixed amount of the kind of work that tests consist of: starting a process, compiling, objects, text, memory.
// Prints the microseconds of CPU time that the process used for it.
const rows = []
let seed = 1
for (let at = 0; at < 12_000; at += 1) {
  seed = (seed * 48_271) % 2_147_483_647
  rows.push({
    id: String(seed),
    make: `make ${seed % 97}`,
    price: seed % 100_000,
    tags: [seed % 7, seed % 11],
  })
}
const read = JSON.parse(JSON.stringify(rows))
read.sort((a, b) => a.price - b.price || (a.id < b.id ? -1 : 1))
const byMake = new Map()
for (const row of read) byMake.set(row.make, [...(byMake.get(row.make) ?? []), row])
let text = ''
for (const [make, list] of byMake) text += `${make}: ${list.map(({ id }) => id.replace(/7/g, 'x')).join()}\n`
if (text.length === 0) throw new Error('The work was not done.')
const { user, system } = process.cpuUsage()
process.stdout.write(String(user + system))
