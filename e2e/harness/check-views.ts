import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { findA11yViolations, findVisualViolations } from './find-a11y-violations.ts'

export const SCREEN = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 800 }
/** WCAG 1.4.10: a page of 1280 px at 400%. */
const NARROW = { width: 320, height: 800 }

/** Problems of the current page, in light colors on a desktop screen and at 320 px. */
export async function findProblems(page: Page): Promise<string[]> {
  const found = await findA11yViolations(page)
  const narrow = await findOverflow(page)
  await page.setViewportSize(SCREEN)
  return [...found, ...narrow]
}

/**
 * Problems of the current page in four variants: default, dark and mirrored, on a phone in the opposite direction,
 * and at 320 px. The text is the same in all, so dark mode only gets the visual checks.
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

/** Problems at 320 px: horizontal scrolling, and top bar controls out of view. */
export async function findOverflow(page: Page): Promise<string[]> {
  await page.setViewportSize(NARROW)
  // By its tag, because an overlay hides it from the accessibility tree.
  const main = page.locator('main')
  const over = () =>
    main.evaluate((element) =>
      Math.max(document.documentElement.scrollWidth - innerWidth, element.scrollWidth - element.clientWidth),
    )
  // The page reacts to its new width a moment later.
  await expect
    .poll(over, { timeout: 3_000 })
    .toBeLessThanOrEqual(0)
    .catch(() => {})
  const sideways = await over()
  const widest = sideways > 0 ? await page.evaluate(findWidest) : ''
  const outside: string[] = []
  const bar = page.getByRole('banner')
  for (const control of await bar.getByRole('button').or(bar.getByRole('link')).all()) {
    const box = await control.boundingBox()
    if (box && (box.x < 0 || box.x + box.width > NARROW.width))
      outside.push(`at ${NARROW.width} px a control of the top bar is outside`)
  }
  return [
    ...(sideways > 0 ? [`at ${NARROW.width} px it scrolls ${sideways} px horizontally: ${widest}`] : []),
    ...outside,
  ]
}

/** The innermost element that reaches furthest beyond the edge of the page. Runs in the browser. */
function findWidest(): string {
  const beyond = (element: Element): number => {
    const { left, right } = element.getBoundingClientRect()
    const edge = element.closest('main')?.getBoundingClientRect()
    return Math.max(right - (edge?.right ?? innerWidth), (edge?.left ?? 0) - left)
  }
  const all = [...document.body.querySelectorAll(':not(textarea)')].filter((element) => beyond(element) > 0)
  const last = all.toSorted((a, b) => beyond(a) - beyond(b)).at(-1)
  return last?.outerHTML.slice(0, 200) ?? 'no element is beyond the edge'
}
