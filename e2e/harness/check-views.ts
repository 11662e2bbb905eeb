import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { findA11yViolations, findVisualViolations } from './find-a11y-violations.ts'

export const SCREEN = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 800 }
/** WCAG 1.4.10: a page of 1280 px at 400 %. */
const NARROW = { width: 320, height: 800 }

/** What is wrong with the page that is shown, in light colors on a screen, and at 320 px. */
export async function findProblems(page: Page): Promise<string[]> {
  const found = await findA11yViolations(page)
  const narrow = await findOverflow(page)
  await page.setViewportSize(SCREEN)
  return [...found, ...narrow]
}

/**
 * What is wrong with the page that is shown in any of four variants: as it is, dark and mirrored, on a phone whose script
 * runs the other way, and at 320 px. Its words stay the same: in the dark only what can be seen is checked.
 */
export async function findProblemsInEveryVariant(page: Page): Promise<string[]> {
  const asItIs = await findA11yViolations(page, { isWhole: true })
  const html = page.locator('html')
  const direction = await html.getAttribute('dir')
  const turn = (to: string | null) => html.evaluate((root, dir) => root.setAttribute('dir', dir ?? 'ltr'), to)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor()
  await turn(direction === 'rtl' ? 'ltr' : 'rtl')
  const otherwise = await findVisualViolations(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.locator('html[data-mantine-color-scheme="light"]').waitFor()
  await page.setViewportSize(PHONE)
  const onPhone = await findA11yViolations(page, { isWhole: true })
  const narrow = await findOverflow(page)
  await turn(direction)
  await page.setViewportSize(SCREEN)
  return [
    ...asItIs,
    ...otherwise.map((violation) => `dark and mirrored ${violation}`),
    ...onPhone.map((violation) => `on a phone ${violation}`),
    ...narrow,
  ]
}

/** At 320 px: what scrolls sideways, and controls of the top bar that are out of sight. */
async function findOverflow(page: Page): Promise<string[]> {
  await page.setViewportSize(NARROW)
  // By its tag: what lies over the page hides it from those who cannot see.
  const main = page.locator('main')
  const over = () =>
    main.evaluate((element) =>
      Math.max(document.documentElement.scrollWidth - innerWidth, element.scrollWidth - element.clientWidth),
    )
  // The page hears of its new width a moment later.
  await expect
    .poll(over, { timeout: 3_000 })
    .toBeLessThanOrEqual(0)
    .catch(() => {})
  const sideways = await over()
  const outside: string[] = []
  const bar = page.getByRole('banner')
  for (const control of await bar.getByRole('button').or(bar.getByRole('link')).all()) {
    const box = await control.boundingBox()
    if (box && (box.x < 0 || box.x + box.width > NARROW.width))
      outside.push(`at ${NARROW.width} px a control of the top bar is outside`)
  }
  return [...(sideways > 0 ? [`at ${NARROW.width} px it scrolls ${sideways} px sideways`] : []), ...outside]
}
