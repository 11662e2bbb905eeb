import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Frame, Page } from 'playwright-core'
import { z } from 'zod'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const VISUAL_RULES = ['color-contrast', 'link-in-text-block', 'target-size']
/** Table rows share their code: checking more than the first few finds nothing new and takes most of the time. */
const FURTHER_ROWS = '[role=row]:nth-child(n+6), tbody > tr:nth-child(n+6)'

const axe = readFileSync(
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve(
    'axe-core/axe.min.js',
  ),
  'utf8',
)

const Finding = z.object({
  id: z.string(),
  nodes: z.array(
    z.object({
      html: z.string(),
      failureSummary: z.string().optional(),
      any: z.array(z.object({ data: z.unknown() })),
    }),
  ),
})
const Found = z.object({ violations: z.array(Finding), incomplete: z.array(Finding) })

/** The accessibility violations of a page: rule, location, and colors that axe couldn't determine. */
export function findA11yViolations(page: Page, { isWhole = false } = {}): Promise<string[]> {
  return analyze(page, { runOnly: { type: 'tag', values: RULES }, exclude: isWhole ? [] : [FURTHER_ROWS] })
}

/** The violations that depend only on colors and positions. */
export function findVisualViolations(page: Page): Promise<string[]> {
  return analyze(page, { runOnly: { type: 'rule', values: VISUAL_RULES }, exclude: [] })
}

type Analysis = { runOnly: { type: 'tag' | 'rule'; values: string[] }; exclude: string[] }

async function analyze(page: Page, analysis: Analysis): Promise<string[]> {
  // A frame such as an email preview is checked from inside, started by its parent.
  await Promise.all(page.frames().map(loadAxe))
  // A color that is still changing is none that a person reads.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
        .map(({ finished }) => finished),
    ),
  )
  const answer: unknown = await page.evaluate(
    ({ runOnly, exclude }) =>
      Reflect.get(globalThis, 'axe').run(
        { exclude: exclude.map((selector: string) => [selector]) },
        { runOnly, resultTypes: ['violations', 'incomplete'] },
      ),
    analysis,
  )
  const { violations, incomplete } = Found.parse(answer)
  const alike = incomplete.filter(({ nodes }) =>
    nodes.some(({ any }) => any.some(({ data }) => JSON.stringify(data ?? '').includes('equalRatio'))),
  )
  return [...violations, ...alike].map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary ?? ''}`).join(' | ')}`,
  )
}

/** Once per document: navigation inside the product keeps it. */
async function loadAxe(frame: Frame): Promise<void> {
  const isThere = await frame.evaluate(() => 'axe' in globalThis)
  if (!isThere)
    await frame.evaluate(`${axe}; axe.configure({ allowedOrigins: ['<same_origin>'] }); undefined`)
}
