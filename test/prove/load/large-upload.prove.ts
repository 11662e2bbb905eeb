import { mkdir, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { files, MEDIA_CONTAINER } from '#contract/files/files.ts'
import { startProduct } from '../../../bench/product.ts'
import { signIn } from '../../../bench/sign-in.ts'
import { call } from '../calling.ts'
import { sendFile } from './sending.ts'

/** The largest allowed file. */
const LIMIT = 2 * 1_024 ** 3
const MOST_MB_MORE = 100
const home = resolve('.forecourt-test', `large-${process.pid}`)

beforeAll(() => mkdir(home, { recursive: true, mode: 0o700 }))
afterAll(() => rm(home, { recursive: true, force: true }))

test('uploads two gigabytes with little memory, and rejects one byte more without leaving a file', async () => {
  const product = await startProduct(home)
  try {
    const session = { product, token: await signIn(product.address) }
    await sendFile(session, 'first.bin', 1_048_576)
    const before = await product.rssMb()
    let most = before
    const watching = setInterval(() => {
      void product.rssMb().then((mb) => {
        most = Math.max(most, mb)
      })
    }, 100)
    const startedAt = performance.now()
    const answer = await sendFile(session, 'large.bin', LIMIT)
    const seconds = (performance.now() - startedAt) / 1000
    clearInterval(watching)
    console.log(`figure: upload of 2 GB = ${seconds.toFixed(1)} s`)
    console.log(`figure: memory of an upload of 2 GB = ${most - before} MB`)
    expect(answer).toEqual({ status: 200, message: null })
    expect(most - before).toBeLessThan(MOST_MB_MORE)
    const { leafs } = await call(session, files.getChildren, { container: MEDIA_CONTAINER })
    expect(leafs.find(({ name }) => name === 'large.bin')?.size).toBe(LIMIT)

    expect(await sendFile(session, 'larger.bin', LIMIT + 1)).toMatchObject({ status: 413 })
    expect(await readdir(join(home, 'files', 'incoming'))).toEqual([])
  } finally {
    await product.stop()
  }
})
