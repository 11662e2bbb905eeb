import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What a page breaks: the rule, where, and colours that axe could not tell apart at all. */
export function findBreaches(page: Page): Promise<string[]> {
  return breachesFound(axeOf(page).withTags(RULES))
}

/** What of it depends on colours and places alone. */
export function findUnseen(page: Page): Promise<string[]> {
  return breachesFound(axeOf(page).withRules(['color-contrast', 'link-in-text-block', 'target-size']))
}

const axeOf = (page: Page): AxeBuilder => new AxeBuilder({ page }).setLegacyMode()

async function breachesFound(axe: AxeBuilder): Promise<string[]> {
  const { violations, incomplete } = await axe.analyze()
  const alike = incomplete.filter(({ nodes }) =>
    nodes.some(({ any }) => any.some(({ data }) => JSON.stringify(data ?? '').includes('equalRatio'))),
  )
  return [...violations, ...alike].map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary ?? ''}`).join(' | ')}`,
  )
}
