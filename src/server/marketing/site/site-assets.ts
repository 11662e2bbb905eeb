import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { brandStyleSheet } from '#contract/appearance/brand.ts'
import type { Site } from '#contract/marketing/site/site.ts'
import type { Assets } from '#public/layout.ts'

/** The style sheet and script of the public pages. */
export type SiteAssets = Readonly<{
  pathsOf: (site: Site) => Assets
  /** The colors of the site's brand with the rules of all sites. */
  styleSheet: (site: Site) => string
  files: readonly Readonly<{ path: string; type: string; body: Buffer }>[]
  /** The script for other sites that show a form. */
  embed: Buffer
}>

const SCRIPT = '../public/browser/site.ts'
const PROOF_WORKER = '../public/browser/proof-worker.ts'
const FORM_RULES = '../public/browser/form-rules.ts'
const Manifest = z.record(z.string(), z.object({ file: z.string() }))

/**
 * Reads the files once. The script is part of the web build; without one, as in tests of the API, pages have no script and
 * work all the same.
 */
export async function readSiteAssets({
  projectFolder,
  webFolder,
}: {
  projectFolder: string
  webFolder: string
}): Promise<SiteAssets> {
  const rules = await readSiteRules(projectFolder)
  const [script, worker, formRules] = await Promise.all([
    readScript(webFolder, SCRIPT),
    readScript(webFolder, PROOF_WORKER),
    readScript(webFolder, FORM_RULES),
  ])
  const embed = await readFile(join(projectFolder, 'src/public/embed.js'))
  const sheets = new Map<string, { path: string; text: string }>()
  const sheetOf = ({ brand }: Site) => {
    const known = sheets.get(brand)
    if (known !== undefined) return known
    const text = `${brandStyleSheet(brand)}\n${rules}`
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
    const sheet = { path: `/site/${hash}.css`, text }
    sheets.set(brand, sheet)
    return sheet
  }
  return {
    pathsOf: (site) => ({
      styles: sheetOf(site).path,
      script: script?.path ?? null,
      proofWorker: worker?.path ?? null,
      formRules: formRules?.path ?? null,
    }),
    styleSheet: (site) => sheetOf(site).text,
    files: [script, worker, formRules].filter((file) => file !== null),
    embed,
  }
}

/** The rules of the style sheet that all sites have. */
export async function readSiteRules(projectFolder: string): Promise<string> {
  const parts = ['site.css', 'vehicle.css', 'forms.css'].map((name) =>
    readFile(join(projectFolder, 'src/public', name), 'utf8'),
  )
  return (await Promise.all(parts)).join('\n')
}

async function readScript(webFolder: string, entry: string) {
  const manifest = join(webFolder, '.vite/manifest.json')
  if (!existsSync(manifest)) return null
  const { file } = Manifest.parse(JSON.parse(await readFile(manifest, 'utf8')))[entry] ?? {}
  if (file === undefined) return null
  return {
    path: `/${file}`,
    type: 'text/javascript; charset=utf-8',
    body: await readFile(join(webFolder, file)),
  }
}
