import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { z } from 'zod'

const web = resolve(import.meta.dirname, '../dist/web')
const KILOBYTE = 1000

const Manifest = z.record(
  z.string(),
  z.object({ file: z.string(), imports: z.array(z.string()).default([]) }),
)

/** The gzipped JavaScript of these sources and of everything they import, in kB. */
async function weigh(sources: readonly string[]): Promise<number> {
  const manifest = Manifest.parse(JSON.parse(await readFile(join(web, '.vite/manifest.json'), 'utf8')))
  const seen = new Set<string>()
  const waiting = [...sources]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const chunk = manifest[name]
    if (!chunk) throw new Error(`${name} is no chunk of its own: the manifest does not have it.`)
    if (seen.has(chunk.file)) continue
    seen.add(chunk.file)
    waiting.push(...chunk.imports)
  }
  const sizes = await Promise.all(
    [...seen]
      .filter((file) => file.endsWith('.js'))
      .map(async (file) => gzipSync(await readFile(join(web, file))).length),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / KILOBYTE
}

const SIGN_IN = ['index.html', 'identity/SignInPage.tsx']

test('the sign-in page needs at most 130 kB of code', async () => {
  expect(await weigh(SIGN_IN)).toBeLessThanOrEqual(130)
})

test('the first list needs at most 245 kB of code', async () => {
  const list = ['index.html', 'shell/Shell.tsx', 'customers/lots/LotsPage.tsx']
  expect(await weigh(list)).toBeLessThanOrEqual(245)
})

test('the set-up page is not part of the sign-in page', async () => {
  const signIn = await weigh(SIGN_IN)
  expect(await weigh([...SIGN_IN, 'identity/SetUpPage.tsx'])).toBeGreaterThan(signIn)
})
