// @module-tag release
import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import { button, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

/** Each form of the record kit: its address, or that of the list whose first record opens it. */
const FORMS: readonly [name: string, address: string, opens?: RegExp][] = [
  ['a new lot', '/customers/lots?lot=new'],
  ['a lot', '/customers/lots', /^Northgate Service/],
  ['details of the company', '/customers/details'],
  ['a new lead rule', '/customers/lead-routing?rule=new'],
  ['a new lead destination', '/customers/lead-routing/destinations?destination=new'],
  ['a new webhook', '/customers/lead-routing/webhooks?webhook=new'],
  ['a new inbound address', '/customers/lead-routing/inbound?address=new'],
  ['a new price rule', '/inventory/pricing-rules?rule=new'],
  ['a new channel', '/inventory/channels?channel=new'],
  ['a new feed source', '/inventory/feeds/sources?source=new'],
  ['a provider mapping', '/administration/provider-mappings', /^vAuto/],
  ['a new data mapping', '/administration/data-mappings?value=new'],
  ['a new user', '/administration/users/new'],
  ['a new domain', '/administration/domain-white-label?domain=new'],
  ['a new email handler', '/administration/email-handlers?handler=new'],
  ['a new emission factor', '/carbon/factors?factor=new'],
  ['a new inventory', '/carbon/start?inventory=new'],
  ['a new organization', '/organizations/organization?organization=new'],
  ['a new assessment', '/assessments/new'],
]

test.each(FORMS)(
  'what was typed into the form of %s is offered after a reload',
  async (...[, address, opens]) => {
    const page = await newPage()
    page.on('dialog', (dialog) => void dialog.accept())
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await page.goto(address)
    if (opens) await page.getByRole('main').getByRole('link', { name: opens }).first().click()
    const input = page
      .locator(
        'form:not([role=search]) input:is([type=text], :not([type])):not([readonly]):not([role=combobox])',
      )
      .filter({ visible: true })
      .first()
    await see(input)
    const before = await input.inputValue()
    const typed = `${before}7`
    await input.fill(typed)
    await page.reload()
    await see(input, button(page, 'Put it back'))
    expect(await input.inputValue()).toBe(before)
    await button(page, 'Put it back').click()
    await miss(button(page, 'Put it back'))
    expect(await input.inputValue()).toBe(typed)
    await expect.poll(() => input.evaluate((field) => field === document.activeElement)).toBe(true)
  },
)
