import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What a page breaks: the rule, where, and colours that axe could not tell apart at all. */
export async function findBreaches(page: Page): Promise<string[]> {
  const { violations, incomplete } = await new AxeBuilder({ page }).setLegacyMode().withTags(RULES).analyze()
  const alike = incomplete.filter(({ nodes }) =>
    nodes.some(({ any }) => any.some(({ data }) => JSON.stringify(data ?? '').includes('equalRatio'))),
  )
  return [...violations, ...alike].map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary ?? ''}`).join(' | ')}`,
  )
}
