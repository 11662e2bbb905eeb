// How much of real feeds is mapped automatically: `npm run feed-figures [folder]`.
import { feedsIn, figuresOf, REAL_FEEDS } from '#test/factories/feeds/real-feeds.ts'

const folder = process.argv[2] ?? REAL_FEEDS
if (folder === null) {
  console.log('There are no feeds on this machine. Specify a folder.')
} else {
  for (const file of feedsIn(folder)) {
    const { rows, accepted, refused, warnings, preset, columns, unused } = await figuresOf(folder, file)
    const reasons = [...refused].map(([reason, count]) => `${count} x ${reason}`).slice(0, 5)
    const told = [...refused.values()].reduce((sum, count) => sum + count, 0)
    console.log(
      `${file}: ${rows} rows, ${accepted} accepted (${share(accepted, rows)}), ${told} rejected with a reason ` +
        `(together ${share(accepted + told, rows)}), ${warnings} warnings; ` +
        `${preset === null ? 'matched by names and values' : `matched preset ${preset}`}, ` +
        `${columns - unused.length} of ${columns} columns used`,
    )
    for (const reason of reasons) console.log(`  ${reason}`)
  }
}

function share(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`
}
