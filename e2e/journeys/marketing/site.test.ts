import { createServer } from 'node:http'
import type { Page, Route } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { forms } from '#contract/marketing/forms/forms.ts'
import { submissions } from '#contract/marketing/forms/submissions.ts'
import { callAs } from '#e2e/harness/carbon-year.ts'
import { findOverflow } from '#e2e/harness/check-views.ts'
import { findA11yViolations } from '#e2e/harness/find-a11y-violations.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, field, heading, miss, see, signIn } from '#e2e/harness/steps.ts'

/** Addresses of other sites that a test serves. */
const elsewhere: string[] = []
const { page: newPage, profile, product } = stage({ alsoAt: elsewhere })
const PHONE = { width: 390, height: 800 }
const ERROR_PAGE = '<main><h1>Something went wrong</h1><p>Try again.</p><p>Go back.</p></main>'

/** The public site of Northgate, which the browser resolves to this machine. */
function siteAddress(): string {
  const address = new URL(product().address)
  address.hostname = 'northgate.localhost'
  return address.origin
}

async function openSite(): Promise<Page> {
  const address = siteAddress()
  return (await profile({ address })).newPage()
}

/** What the dealer finds of a visitor. */
async function found(name: string) {
  const dealer = await newPage()
  await signIn(dealer, 'northgate.admin', 'Northgate Ford')
  return (await callAs(dealer, submissions.list, { search: name })).results ?? []
}

test('a visitor without a script finds a car and asks about it, and the dealer sees it', async () => {
  const page = await openSite()
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setScriptExecutionDisabled', { value: true })
  await page.goto('/')
  await page.getByRole('searchbox', { name: 'Search' }).fill('Toyota')
  await button(page, 'Show vehicles').click()
  await see(heading(page, /matching vehicles$/))
  const first = page.getByRole('heading', { level: 2 }).getByRole('link').first()
  const title = (await first.textContent()) ?? ''
  await first.click()
  await see(heading(page, title), page.getByText('Total price').first())
  await page.getByRole('link', { name: 'Ask about this vehicle' }).click()
  await field(page, 'First name').fill('Visitor without script')
  await field(page, 'Email').fill('not an address')
  await button(page, 'Send').click()
  await see(page.getByRole('heading', { name: /^Please check/ }))
  expect(await field(page, 'First name').inputValue()).toBe('Visitor without script')
  await field(page, 'Email').fill('visitor@mail.example')
  await button(page, 'Send').click()
  await see(heading(page, 'Thank you for your question'))
  await page.getByRole('link', { name: 'Back to the vehicle' }).click()
  await see(heading(page, title))

  const [submission, ...others] = await found('Visitor without script')
  expect(others).toEqual([])
  expect(submission?.vehicleTitle).toContain(title)
  // Its page says that there can't be a proof of work.
  expect(submission?.suspicions).not.toContain('noProof')
})

test("a form on another site keeps its frame, and its visitor's browser proves to be one", async () => {
  const other = createServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(
      request.url === '/favicon.ico'
        ? ''
        : `<h1>Elsewhere</h1><script src="${siteAddress()}/embed.js" data-form="trade-in" data-title="Trade-in"></script>`,
    )
  })
  await new Promise<void>((resolve) => {
    other.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => void other.close())
  const listening = other.address()
  const dealer = `http://dealer.localhost:${typeof listening === 'object' ? listening?.port : ''}`
  elsewhere.push(dealer)
  const office = await newPage()
  await signIn(office, 'northgate.admin', 'Northgate Ford')
  const { results } = await callAs(office, forms.list, { search: 'Value my trade-in' })
  const id = results?.[0]?.id ?? ''
  await callAs(office, forms.update, { id, embedOrigins: [dealer], requiresProof: true })

  const page = await openSite()
  await page.goto(`${dealer}/?utm_source=main-site`)
  const frame = page.frameLocator('iframe[title="Trade-in"]')
  await frame.getByLabel('First name').fill('Visitor of another site')
  await frame.getByRole('textbox', { name: 'Email' }).fill('framed@mail.example')
  await frame.getByRole('button', { name: 'Continue' }).click()
  await frame.getByLabel('Mileage (mi)').fill('61,000')
  await frame.getByLabel('VIN').fill('1FADP3F20DL123456')
  await frame.getByRole('radio', { name: 'No', exact: true }).check()
  await frame.getByRole('button', { name: 'Send' }).click()
  await see(frame.getByRole('heading', { name: 'We are valuing your vehicle' }))

  const [submission] = await found('Visitor of another site')
  // A test types faster than people read.
  expect(submission?.suspicions.filter((reason) => reason !== 'fast')).toEqual([])
})

test(
  'what is corrected on a page that was sent before has a proof of its own',
  { tags: 'release' },
  async () => {
    const page = await openSite()
    await page.goto('/f/ask')
    // The page stays, as it does when its visitor goes back and the browser still has it.
    await page.route('**/thanks*', (route) => route.fulfill({ status: 204 }))
    await field(page, 'First name').fill('Visitor with second thoughts')
    await field(page, 'Email').fill('again@mail.example')
    for (const [message, count] of [
      ['Is it free?', 1],
      ['Is it still free?', 2],
    ] as const) {
      await field(page, 'Your question (optional)').fill(message)
      await button(page, 'Send').click()
      await expect.poll(async () => (await found('Visitor with second thoughts')).length).toBe(count)
      await expect.poll(() => button(page, 'Send').getAttribute('aria-disabled')).toBeNull()
    }
    const all = await found('Visitor with second thoughts')
    // A test types faster than people read.
    expect(all.flatMap(({ suspicions }) => suspicions).filter((reason) => reason !== 'fast')).toEqual([])
  },
)

test('a form that is sent over a bad connection stays on its page and arrives once', async () => {
  const page = await openSite()
  await page.setViewportSize(PHONE)
  await page.goto('/f/trade-in')
  await field(page, 'First name').fill('Visitor on a train')
  await field(page, 'Email').fill('train@mail.example')
  await button(page, 'Continue').click()
  await field(page, 'VIN (optional)').fill('1FADP3F20DL123456')
  await field(page, 'Mileage (mi)').fill('61,000')
  await page.getByRole('radio', { name: 'No', exact: true }).check()
  // The server has an error, then it can't be reached by what is in front of it, then it receives the form and the connection is
  // cut before its answer arrives.
  const answers = [
    (route: Route) => route.fulfill({ status: 500, contentType: 'text/html', body: ERROR_PAGE }),
    (route: Route) => route.fulfill({ status: 503, headers: { 'retry-after': '3' }, body: 'upstream' }),
    async (route: Route) => {
      // Only the browser resolves the name of the site.
      const headers = { ...route.request().headers(), host: new URL(siteAddress()).host }
      await route.fetch({ url: `${product().address}/f/trade-in`, headers, maxRedirects: 0 })
      await route.abort('connectionreset')
    },
  ]
  await page.route('**/f/trade-in', (route) => (answers.shift() ?? ((one: Route) => one.continue()))(route))
  await button(page, 'Send').click()
  await see(page.getByText('Something went wrong. Try again.'))
  expect(await field(page, 'Mileage (mi)').inputValue()).toBe('61,000')
  await button(page, 'Send').click()
  await see(page.getByText("We can't receive forms at this moment. Your answers are kept on this page"))
  await see(page.getByText('No connection. Your answers are kept on this page'))
  await page.context().setOffline(true)
  await button(page, 'Send').press('Enter')
  expect(await field(page, 'Mileage (mi)').inputValue()).toBe('61,000')
  await page.context().setOffline(false)
  await see(heading(page, 'We are valuing your vehicle'))

  expect(await found('Visitor on a train')).toMatchObject([
    { formName: 'Value my trade-in', senderEmail: 'train@mail.example' },
  ])
})

test('the pages are accessible, and fit a phone in both color schemes', async () => {
  const page = await openSite()
  for (const path of ['/?make=Ford&q=zzz', '/', '/f/trade-in', '/f/nothing']) {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(path)
    expect([path, await findA11yViolations(page)]).toEqual([path, []])
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 320, height: 800 })
    expect([path, await findA11yViolations(page), await findOverflow(page)]).toEqual([path, [], []])
    await page.emulateMedia({ colorScheme: 'light' })
  }
  await page.goto('/')
  await page.getByRole('heading', { level: 2 }).getByRole('link').first().click()
  await see(button(page, 'Send'))
  expect(await findA11yViolations(page)).toEqual([])
  expect(await findOverflow(page)).toEqual([])
})

test(
  'the photos of a vehicle open as large as the window, by tap and by keys',
  { tags: 'release' },
  async () => {
    const page = await openSite()
    await page.goto('/')
    const links = page.getByRole('heading', { level: 2 }).getByRole('link')
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    const photos = page.getByRole('region', { name: 'Photos' }).getByRole('link')
    for (const path of paths) {
      await page.goto(path)
      if ((await photos.count()) > 1) break
    }
    const count = await photos.count()
    await photos.first().click()
    const dialog = page.getByRole('dialog', { name: 'Photos' })
    await see(dialog.getByText(`1 / ${count}`))
    expect(await findA11yViolations(page)).toEqual([])
    await page.keyboard.press('ArrowRight')
    await see(dialog.getByText(`2 / ${count}`))
    await button(page, 'Previous photo').click()
    await button(page, 'Previous photo').click()
    await see(dialog.getByText(`${count} / ${count}`))
    const widthOf = () =>
      dialog
        .getByRole('img')
        .evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0))
    await expect.poll(widthOf).toBeGreaterThan(0)
    await page.setViewportSize(PHONE)
    expect(await findOverflow(page)).toEqual([])
    await page.keyboard.press('Escape')
    await miss(dialog)
    expect(await photos.last().evaluate((link) => link === document.activeElement)).toBe(true)
  },
)
