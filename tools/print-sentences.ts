// `npm run sentences`: prints every text of the product with its file and line.
// `-- --sample 200 --seed 7` prints a sample of that size, the same one for the same seed.
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findSentences } from './sentences.ts'

const project = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' } },
})

const entries = await readdir(join(project, 'src'), { recursive: true, withFileTypes: true })
const paths = entries
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(project.length + 1))
  .toSorted()
const texts = await Promise.all(
  paths.map(async (path) => findSentences(path, await readFile(join(project, path), 'utf8'))),
)
const all = texts.flat()
for (const { path, line, text } of values.sample === undefined ? all : draw(Number(values.sample))) {
  console.log(`${path}:${line}: ${text}`)
}

/** A sample without repetition. The generator is mulberry32, so a seed means the same sample everywhere. */
function draw(count: number) {
  let state = Number(values.seed) >>> 0
  const random = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const different = [...new Map(all.map((sentence) => [sentence.text, sentence])).values()]
  return different
    .map((sentence) => ({ sentence, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ sentence }) => sentence)
}
