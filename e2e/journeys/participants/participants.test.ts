// @module-tag release
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { assessmentAnswers } from '#contract/assessments/targets/answers.ts'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { answerQuestions } from '#e2e/harness/answer-questions.ts'
import { callAs } from '#e2e/harness/carbon-year.ts'
import { assessmentParticipants } from '#contract/participants/invitations/participants.ts'
import { inviteParticipant, linkOf } from '#e2e/harness/invite-participant.ts'
import { type KillableBrowser, startKillableBrowser } from '#e2e/harness/killable-browser.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, heading, see, signIn } from '#e2e/harness/steps.ts'
import { now } from '#e2e/harness/world.ts'
import { withOwner } from '#server/database/open-database.ts'

const { page: newPage, profile, product } = stage()

const CONTACT = 'Who knows the site best?'
const CHANGES = 'What has changed since last year?'
const NOT_SENT = 'On this device, not sent yet'
const DAY_MS = 86_400_000
const PDF = Buffer.from('%PDF-1.7 a bill')
/** The first bytes of a PNG file, by which its type is detected. */
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

/** The staff's page, and a person they invited. */
async function invited(name?: string, template?: string) {
  const staff = await newPage()
  await signIn(staff, 'northgate.admin', 'Northgate Ford')
  await staff.goto('/dashboard')
  // A session of an earlier test may have to be renewed first, which replaces its token.
  await see(staff.getByText('Latest changes'))
  return { staff, ...(await inviteParticipant(staff, name, template)) }
}

async function openLink(page: Page, { link, title }: { link: string; title: string }): Promise<void> {
  await page.goto(`${product().address}${link}`)
  await button(page, 'Open my questions').click()
  await see(heading(page, title))
}

/** Answers as staff see them, by question. */
async function answersOf(staff: Page, id: string): Promise<Record<string, unknown>> {
  const { answers } = await callAs(staff, assessmentTargets.get, { id })
  return Object.fromEntries(answers.map(({ questionCode, value }) => [questionCode, value]))
}

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean()
})

/** Killable browsers on one and the same data. */
async function device(): Promise<{ start: () => Promise<KillableBrowser> }> {
  const folder = await mkdtemp(join(tmpdir(), 'forecourt-device-'))
  cleanups.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return {
    start: async () => {
      const browser = await startKillableBrowser(folder)
      let isKilled = false
      const kill = async () => {
        if (isKilled) return
        isKilled = true
        await browser.kill()
      }
      cleanups.push(kill)
      return { ...browser, kill }
    },
  }
}

const pageOf = async (context: BrowserContext): Promise<Page> => context.pages().at(0) ?? context.newPage()

test('answers and files without a connection survive a killed browser and are sent once the next day, by the link', async () => {
  const { staff, targetId, ...invitation } = await invited()
  const phone = await device()
  const first = await phone.start()
  const page = await pageOf(first.context)
  await page.setViewportSize({ width: 360, height: 740 })
  await openLink(page, invitation)
  expect(new URL(page.url()).hash).toBe('')
  await page.getByLabel(CONTACT).fill('Ana Souza')
  await see(page.getByText('All answers sent'))

  await first.context.setOffline(true)
  await see(page.getByText("You're offline."))
  await page.getByLabel(CONTACT).fill('Ana Maria Souza')
  await page.getByLabel(CHANGES).fill('A second lift bay.')
  await button(page, 'Next: Energy and refrigerants').click()
  await page.getByLabel('We have no such system').check()
  await page.getByRole('textbox', { name: 'Meter, Row 1' }).fill('Hall')
  await see(page.getByText('4 waiting to send'), page.getByText(NOT_SENT).first())
  await addBill(page)
  await takePhoto(page)
  await see(page.getByText('6 waiting to send'), page.getByText('bill-march.pdf'), page.getByText('lift.png'))
  // Typing pauses, and the device has everything.
  await expect.poll(() => countKept(page, 'changes')).toBe(4)
  await expect.poll(() => countKept(page, 'files')).toBe(2)
  await first.kill()
  await passDay(targetId)

  const second = await phone.start()
  const later = await pageOf(second.context)
  await later.clock.setSystemTime(now() + DAY_MS)
  // Nothing of the former session is left.
  await later.goto(`${product().address}/participants?task=${targetId}`)
  await see(heading(later, 'Open your invitation link'))
  await openLink(later, invitation)
  await see(later.getByText('All answers sent'))
  expect(await later.getByLabel(CONTACT).inputValue()).toBe('Ana Maria Souza')
  expect(await answersOf(staff, targetId)).toMatchObject({
    contact: 'Ana Maria Souza',
    changes: 'A second lift bay.',
    leaks: 'none',
    meters: { meter: 'Hall' },
    records: [expect.objectContaining({ name: 'lift.png', mediaType: 'image/png' })],
  })
  expect(await filesOf(staff, targetId)).toEqual([
    ['bill-march.pdf', ['power']],
    ['lift.png', ['records']],
  ])
  for (const store of ['changes', 'files'] as const) expect(await countKept(later, store)).toBe(0)

  // Another person's link on the same device.
  const other = await inviteParticipant(staff, 'Lena Fox')
  await openLink(later, other)
  expect(await later.getByLabel(CONTACT).inputValue()).toBe('')
})

test.for(['dealer-site', 'dealer-energy', 'scope3-screening'])(
  '%s is answered completely without a connection, over two killed browsers, with every question that an answer asks',
  { timeout: 600_000 },
  async (template) => {
    const { staff, targetId, ...invitation } = await invited('Tom Becker', template)
    const { definition } = await callAs(staff, assessmentTargets.get, { id: targetId })
    const asked = definition.sections
      .flatMap(({ questions }) => questions)
      .filter(({ type }) => type !== 'note' && type !== 'computed')
    const phone = await device()
    const answered = new Set<string>()
    for (const most of [Math.floor(asked.length / 3), Math.floor(asked.length / 3), Infinity]) {
      const { context, kill } = await phone.start()
      const page = await pageOf(context)
      await page.setViewportSize({ width: 1280, height: 900 })
      await openLink(page, invitation)
      await context.setOffline(true)
      await see(page.getByText("You're offline."))
      await answerQuestions(page, answered, { most, given: { year_built: '1990', year: '2025' } })
      if (most === Infinity) {
        // What was answered with yes asks for reasons once it is no.
        const turned = asked.filter(({ code }) => code.endsWith('_applies')).map(({ code }) => code)
        for (const code of turned) answered.delete(code)
        await answerQuestions(page, answered, {
          given: Object.fromEntries(turned.map((code) => [code, 'no'])),
        })
        await context.setOffline(false)
        await page.getByText('All answers sent').waitFor({ timeout: 60_000 })
      }
      // What was typed a moment ago is on the device once the page says so.
      await expect.poll(() => page.getByText('Not sent yet', { exact: true }).count()).toBe(0)
      await kill()
    }
    expect([...answered].toSorted()).toEqual(expect.arrayContaining(asked.map(({ code }) => code)))
    const { answers } = await callAs(staff, assessmentTargets.get, { id: targetId })
    const given = new Set(
      answers.flatMap(({ questionCode, value }) => (value === null ? [] : [questionCode])),
    )
    expect(asked.filter(({ code }) => !given.has(code)).map(({ code }) => code)).toEqual([])
  },
)

test('a click on the next question counts, although leaving the one before shows what is wrong with it', async () => {
  const { targetId: _, ...invitation } = await invited('Tom Becker', 'scope3-screening')
  const page = await newPage()
  await page.setViewportSize({ width: 1280, height: 900 })
  await openLink(page, invitation)
  await page.getByLabel('Which year').fill('3')
  const choice = page.locator('[data-question="consolidation"] input[type="radio"]').first()
  await choice.click()
  await see(page.locator('[data-question="year"] .mantine-InputWrapper-error'))
  expect(await choice.isChecked()).toBe(true)
})

/** A bill as evidence of the electricity. */
async function addBill(page: Page): Promise<void> {
  await page
    .locator('[data-question="power"]')
    .getByRole('button', { name: /^Actions/ })
    .click()
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('menuitem', { name: 'Add evidence' }).click()
  await (await choosing).setFiles({ name: 'bill-march.pdf', mimeType: 'application/pdf', buffer: PDF })
}

/** A photo as the answer to a file question. The camera opens through an input of its own. */
async function takePhoto(page: Page): Promise<void> {
  const camera = page.locator('[data-question="records"] input[capture="environment"]')
  expect(await camera.getAttribute('accept')).toBe('image/*')
  await camera.setInputFiles({ name: 'lift.png', mimeType: 'image/png', buffer: PNG })
}

/** Files of a target with their questions, as staff see them. */
async function filesOf(staff: Page, id: string): Promise<readonly (readonly [string, readonly string[]])[]> {
  const { evidence } = await callAs(staff, assessmentTargets.get, { id })
  return evidence.map(({ name, questionCodes }) => [name, questionCodes])
}

/** A day passes for the sessions of the people of a target: the product's clock belongs to its process. */
async function passDay(targetId: string): Promise<void> {
  const { rowCount } = await withOwner(product().owner, (owner) =>
    owner.query(
      `update iam.participant_sessions set last_active_at = last_active_at - interval '1 day', ends_at = ends_at - interval '1 day'
      where participant_id in (select participant_id from assessment_people where target_id = $1)`,
      [targetId],
    ),
  )
  expect(rowCount).toBe(1)
}

/** The rows in the browser's database. */
function countKept(page: Page, store: 'changes' | 'files'): Promise<number> {
  return page.evaluate(
    (name) =>
      new Promise<number>((done, failed) => {
        const opening = indexedDB.open('forecourt-participants')
        opening.addEventListener('error', () => failed(opening.error))
        opening.addEventListener('success', () => {
          const count = opening.result.transaction(name).objectStore(name).count()
          count.addEventListener('success', () => {
            opening.result.close()
            done(count.result)
          })
        })
      }),
    store,
  )
}

test('another tab of the browser takes over, with what was typed in the first one', async () => {
  const invitation = await invited()
  const context = await profile()
  const first = await context.newPage()
  await openLink(first, invitation)
  const second = await context.newPage()
  await openSecond(second, invitation.link)
  await first.getByLabel(CONTACT).fill('Ana Souza')
  await button(second, 'Continue here').click()
  await see(first.getByText('This questionnaire is open in another tab of this browser.'))
  await expect.poll(() => second.getByLabel(CONTACT).inputValue()).toBe('Ana Souza')
  await second.close()
  await see(first.getByLabel(CONTACT))
})

async function openSecond(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await button(page, 'Open my questions').click()
  await see(heading(page, 'Open in another tab'))
}

test('two people see a conflict and resolve it, and of two submissions at once one counts', async () => {
  const { staff, targetId, ...invitation } = await invited()
  const [one, other] = await Promise.all([
    profile().then((context) => context.newPage()),
    profile().then((context) => context.newPage()),
  ])
  await openLink(one, invitation)
  await openLink(other, invitation)
  await one.getByLabel(CONTACT).fill('Ana Souza')
  await see(one.getByText('All answers sent'))
  await other.getByLabel(CONTACT).fill('Luis Ortega')
  const card = other.getByRole('group', { name: 'Tom Becker changed this answer.' })
  await see(card.getByText('Luis Ortega'), card.getByText('Ana Souza'))
  await card.getByRole('button', { name: 'Keep both' }).click()
  await expect.poll(() => other.getByLabel(CONTACT).inputValue()).toBe('Ana Souza / Luis Ortega')
  await see(other.getByText('All answers sent'))

  // What is missing is named, and leads to its question.
  await button(other, 'Submit').click()
  const dialog = other.getByRole('dialog')
  await see(dialog.getByText('Required questions without an answer: 2'))
  await dialog.getByRole('button', { name: /^How much electricity/ }).click()
  await expect
    .poll(() =>
      other.evaluate(() => document.activeElement?.closest('[data-question]')?.getAttribute('data-question')),
    )
    .toBe('power')
  await other.keyboard.type('184320')
  await other.getByLabel('We have no such system').check()
  await see(other.getByText('All answers sent'))

  await one.reload()
  await expect.poll(() => one.getByLabel(/^How much electricity/).inputValue()).toBe('184320')
  for (const page of [one, other]) await button(page, 'Submit').click()
  await Promise.all(
    [one, other].map((page) => page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click()),
  )
  const number = (page: Page) => page.getByText(/^[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}$/)
  await see(number(one), number(other))
  expect(await number(one).textContent()).toBe(await number(other).textContent())
  expect(await one.getByLabel(CONTACT).isDisabled()).toBe(true)
  const { state, snapshotSha256 } = await callAs(staff, assessmentTargets.get, { id: targetId })
  expect(state).toBe('submitted')
  expect(snapshotSha256?.toUpperCase().slice(0, 4)).toBe((await number(one).textContent())?.slice(0, 4))
  const { entries } = await callAs(staff, assessmentAnswers.log, { targetId })
  expect(entries.filter(({ note }) => note === 'submitted')).toHaveLength(1)

  // The link is used up.
  const late = await (await profile()).newPage()
  await late.goto(invitation.link)
  await button(late, 'Open my questions').click()
  await see(heading(late, "This link doesn't work"))
})

test('a delegated row is closed for the owner until it is taken back, and the colleague sees only that row', async () => {
  const { staff, targetId, ...invitation } = await invited()
  const tom = await (await profile()).newPage()
  await openLink(tom, invitation)
  await tom.getByRole('textbox', { name: 'Meter, Row 1' }).fill('Hall')
  await button(tom, 'Add row').click()
  await tom.getByRole('textbox', { name: 'Meter, Row 2' }).fill('Paint booth')
  await see(tom.getByText('All answers sent'))
  const question = tom.locator('[data-question="meters"]')
  await question.getByRole('button', { name: /^Actions/ }).click()
  await tom.getByRole('menuitem', { name: 'Delegate question' }).click()
  const dialog = tom.getByRole('dialog')
  await dialog.getByLabel('Part').selectOption('Row 2')
  await dialog.getByLabel('Name').fill('Ana Souza')
  await dialog.getByLabel('Email').fill('ana.souza@people.example')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await see(question.getByText(/^Sent to Ana Souza on .*, not answered yet\.$/))
  expect(await tom.getByRole('textbox', { name: 'Meter, Row 2' }).isDisabled()).toBe(true)
  expect(await button(tom, 'Remove row 2').isDisabled()).toBe(true)
  expect(await tom.getByRole('textbox', { name: 'Meter, Row 1' }).isEnabled()).toBe(true)

  const people = await callAs(staff, assessmentParticipants.list, { target: targetId })
  const ana = await (await profile()).newPage()
  const link = await linkOf(staff, people.find(({ name }) => name === 'Ana Souza')?.id ?? '')
  await openLink(ana, { ...invitation, link })
  expect(await ana.getByRole('textbox', { name: /^Meter/ }).all()).toHaveLength(1)
  expect(await ana.getByRole('textbox', { name: 'Meter, Row 1' }).inputValue()).toBe('Paint booth')
  expect(await button(ana, 'Add row').count()).toBe(0)
  await ana.getByRole('textbox', { name: /^Used/ }).fill('640')
  await see(ana.getByText('All answers sent'))

  await tom.reload()
  await see(question.getByText(/^Sent to Ana Souza on .*, answered\.$/))
  expect(await tom.getByRole('textbox', { name: /^Used .*Row 2$/ }).inputValue()).toBe('640')
  await question.getByRole('button', { name: 'Take back' }).click()
  await expect.poll(() => tom.getByRole('textbox', { name: 'Meter, Row 2' }).isEnabled()).toBe(true)
})
