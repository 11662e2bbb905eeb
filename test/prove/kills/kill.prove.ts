import { mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startProduct } from '../../../bench/product.ts'
import { signIn } from '../../../bench/sign-in.ts'
import { findLost, nothingWritten, tryAgain, writeUntilOver } from './writing.ts'

const ROUNDS = 20
const WRITERS = 4
const home = resolve('.forecourt-test', `kill-${process.pid}`)

beforeAll(() => mkdir(home, { recursive: true, mode: 0o700 }))
afterAll(() => rm(home, { recursive: true, force: true }))

test('after twenty kills with SIGKILL under load, every confirmed save is present, and every retried one exactly once', async () => {
  const written = nothingWritten()
  const again: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const product = await startProduct(home)
    const session = { product, token: await signIn(product.address) }
    again.push(...(await tryAgain(session, written)))
    let isOver = false
    const writers = Array.from({ length: WRITERS }, (_, writer) =>
      writeUntilOver(session, { prefix: `K${round}W${writer}N`, written, isOver: () => isOver }),
    )
    await wait(300 + 60 * round)
    isOver = true
    await product.kill()
    await Promise.all(writers)
  }

  const product = await startProduct(home)
  try {
    const session = { product, token: await signIn(product.address) }
    again.push(...(await tryAgain(session, written)))
    expect(written.answered.size).toBeGreaterThan(ROUNDS)
    // Saved now, or saved before its response was lost.
    expect(again.filter((status) => status !== 200 && status !== 409)).toEqual([])
    expect(await findLost(session, written)).toEqual({ lost: [], twice: 0 })
  } finally {
    await product.stop()
  }
})
