import { mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { lots } from '#contract/customers/lots.ts'
import { startProduct, type Product } from '../../bench/product.ts'
import { signIn } from '../../bench/sign-in.ts'

const ROUNDS = 8
const WRITERS = 4
const home = resolve('.forecourt-test', `kill-${process.pid}`)

beforeAll(() => mkdir(home, { recursive: true, mode: 0o700 }))
afterAll(() => rm(home, { recursive: true, force: true }))

test('every lot whose save was answered is there after a kill -9, and none twice', async () => {
  const answered = new Set<string>()
  for (let round = 0; round < ROUNDS; round += 1) {
    const product = await startProduct(home)
    const token = await signIn(product.address)
    const isOver = { value: false }
    const writers = Array.from({ length: WRITERS }, (_, writer) =>
      writeUntilOver({ product, token, prefix: `K${round}W${writer}N`, answered, isOver }),
    )
    await wait(300 + 150 * round)
    isOver.value = true
    await product.kill()
    await Promise.all(writers)
  }

  const product = await startProduct(home)
  try {
    const token = await signIn(product.address)
    const there = await listCodes(product, token)
    expect(answered.size).toBeGreaterThan(ROUNDS)
    expect([...answered].filter((code) => !there.includes(code))).toEqual([])
    expect(there.length).toBe(new Set(there).size)
  } finally {
    await product.stop()
  }
})

type Writing = {
  product: Product
  token: string
  prefix: string
  answered: Set<string>
  isOver: { value: boolean }
}

async function writeUntilOver({ product, token, prefix, answered, isOver }: Writing): Promise<void> {
  for (let n = 0; !isOver.value; n += 1) {
    const code = `${prefix}${n}`
    const response = await fetch(`${product.address}${lots.add.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ code, name: `Written before the kill ${code}` }),
    }).catch(() => null)
    if (response?.status === 200) answered.add(code)
  }
}

async function listCodes(product: Product, token: string): Promise<string[]> {
  const codes: string[] = []
  for (let page = 1; ; page += 1) {
    const response = await fetch(`${product.address}${lots.list.path}?sort=code&pageSize=200&page=${page}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { data } = z.object({ data: lots.list.output }).parse(await response.json())
    if (data.results.length === 0) return codes
    codes.push(...data.results.map((lot) => lot.code))
  }
}
