import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'

const web = resolve(import.meta.dirname, '../../dist/web')
const KILOBYTE = 1000

const Manifest = z.record(
  z.string(),
  z.object({ file: z.string(), imports: z.array(z.string()).default([]) }),
)

const readManifest = async () =>
  Manifest.parse(JSON.parse(await readFile(join(web, '.vite/manifest.json'), 'utf8')))

/** The output file of a source. */
export async function fileOf(source: string): Promise<string> {
  const chunk = (await readManifest())[source]
  if (!chunk) throw new Error(`${source} is not a separate chunk: the manifest does not list it.`)
  return chunk.file
}

/** The gzipped size of the JavaScript of these sources and all their imports, in kB. */
export async function bundleSize(sources: readonly string[]): Promise<number> {
  const manifest = await readManifest()
  const seen = new Set<string>()
  const waiting = [...sources]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const chunk = manifest[name]
    if (!chunk) throw new Error(`${name} is not a separate chunk: the manifest does not list it.`)
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

/** The code that the sign-in page and the first list load. */
export const SIGN_IN = ['index.html', 'identity/sign-in/SignInPage.tsx']
export const FIRST_LIST = ['index.html', 'shell/layout/Shell.tsx', 'LotsWithEffects.tsx']
/** What every public page loads, and what a form adds whose answers show and hide questions. */
export const SITE = ['../public/browser/site.ts']
export const FORM_RULES = ['../public/browser/form-rules.ts']
/** In kB, gzipped (interface rules of the product). */
export const LIMITS = { signIn: 130, firstList: 245, site: 4, formRules: 31 } as const
