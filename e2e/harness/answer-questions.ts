import type { Locator, Page } from 'playwright-core'

/**
 * Answers every question that is asked on a participant's page, and those that the answers ask, as a person would. Of choices
 * the first one is taken, of several all. @param given another choice or number, by the code of the question
 * @param answered the codes that are answered already; those that are answered now are added
 */
export async function answerQuestions(
  page: Page,
  answered: Set<string>,
  { given = {}, most = Infinity }: { given?: Readonly<Record<string, string>>; most?: number } = {},
): Promise<void> {
  for (let left = most; left > 0; left -= 1) {
    // oxlint-disable-next-line no-await-in-loop -- One answer may ask the next question.
    const codes = await page
      .locator('[data-question]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-question') ?? ''))
    const next = codes.find((code) => !answered.has(code))
    if (next === undefined) return
    // oxlint-disable-next-line no-await-in-loop
    await answer(page, page.locator(`[data-question="${next}"]`), given[next])
    answered.add(next)
  }
}

async function answer(page: Page, block: Locator, value: string | undefined): Promise<void> {
  if (await block.locator('fieldset.fc-area-field').evaluate((field) => field.matches(':disabled')))
    if ((await block.locator('input, textarea').count()) > 0)
      throw new Error(`${await block.getAttribute('data-question')} can't be answered.`)
  const radios = block.locator('input[type="radio"]')
  const names = new Set(await radios.evaluateAll((all) => all.map((one) => one.getAttribute('name') ?? '')))
  for (const name of names) {
    const group = block.locator(`input[type="radio"][name="${name}"]`)
    // oxlint-disable-next-line no-await-in-loop -- As a person does, one after the other.
    await (value === undefined ? group : block.locator(`input[name="${name}"][value="${value}"]`))
      .first()
      .check()
  }
  for (const box of await block.locator('input[type="checkbox"]').all())
    // oxlint-disable-next-line no-await-in-loop
    await box.check()
  for (const list of await block.locator('input[aria-haspopup="listbox"]').all()) {
    // oxlint-disable-next-line no-await-in-loop
    await list.click()
    // oxlint-disable-next-line no-await-in-loop
    await page.getByRole('option').first().click()
  }
  const texts =
    'textarea, input:not([type="radio"], [type="checkbox"], [type="file"], [type="hidden"], [aria-haspopup="listbox"])'
  for (const input of await block.locator(`fieldset.fc-area-field :is(${texts})`).all()) {
    // oxlint-disable-next-line no-await-in-loop
    const kind = await input.evaluate((one) => `${one.getAttribute('type')} ${one.getAttribute('inputmode')}`)
    // oxlint-disable-next-line no-await-in-loop
    await input.fill(value ?? valueFor(kind))
  }
}

function valueFor(kind: string): string {
  if (kind.startsWith('date')) return '2026-03-01'
  if (kind.startsWith('month')) return '2026-03'
  if (kind.startsWith('email')) return 'kim@people.example'
  if (kind.startsWith('tel')) return '+1 802 555 0142'
  return /number|decimal|numeric/.test(kind) ? '3' : 'As agreed'
}
