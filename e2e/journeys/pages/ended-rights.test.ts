import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { withOwner } from '#server/database/open-database.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, field, miss, see, signInAgain } from '#e2e/harness/steps.ts'

const { page: newPage, product } = stage()

const USER = 'northgate.auditor'
const TYPED = 'Typed before the right ended 7'

/** Changes rows of the user: `$1` is the user name. As after a change by an administrator, permissions are read again. */
const change = (...statements: string[]) =>
  withOwner(product().owner, async (owner) => {
    for (const statement of statements) await owner.query(statement, [USER])
    await owner.query(
      `insert into iam.permission_versions (customer_id, version) select customer_id, 1000 from users where user_name = $1
      on conflict (customer_id) do update set version = iam.permission_versions.version + 1`,
      [USER],
    )
  })
const ofUser = `u.user_name = $1 and u.customer_id = m.customer_id and u.id = m.user_id`

/** Gives the user everything that an administrator of the customer has. */
const giveAll = () =>
  change(
    `update users set user_type_id = (select user_type_id from users where user_name = 'northgate.admin') where user_name = $1`,
    `delete from user_permissions m using users u where ${ofUser}`,
    `insert into memberships (customer_id, user_id, organization_id) select u.customer_id, u.id, o.id
      from users u join organizations o on o.customer_id = u.customer_id where u.user_name = $1 on conflict do nothing`,
  )
/** How the right to read a page ends, and what is said then. */
const ENDINGS = [
  [
    'the organization is removed',
    () =>
      change(`delete from memberships m using users u, organizations o where ${ofUser}
        and o.customer_id = m.customer_id and o.id = m.organization_id and o.name = 'Northgate Ford'`),
    'You no longer have access to Northgate Ford',
  ],
  [
    'the permissions are removed',
    () =>
      change(`insert into user_permissions (customer_id, user_id, func, opr, is_allowed)
        select u.customer_id, u.id, p.func, p.opr, false from users u
        join user_type_permissions p on p.customer_id = u.customer_id and p.user_type_id = u.user_type_id
        where u.user_name = $1`),
    "You don't have access to this page",
  ],
] as const

const input = (page: Page): Locator =>
  page
    .locator(
      'form:not([role=search]) input:is([type=text], :not([type])):not([readonly]):not([role=combobox])',
    )
    .filter({ visible: true })
    .first()

const kept = (page: Page) => page.getByRole('region', { name: 'Your unsaved text' })

test('text typed before the right to read a page ended is shown, kept and offered', async () => {
  await giveAll()
  const page = await newPage()
  await signInAgain(page, product(), USER, 'Northgate Ford')
  await page.goto('/customers/details')
  await field(page, 'Legal name').fill(TYPED)
  const [[, end, sentence]] = ENDINGS
  await end()
  await button(page, 'Save changes').click()
  await see(page.getByText(sentence), kept(page).getByText(`Legal name: ${TYPED}`))
  await giveAll()
  await button(page, 'Put it back').click({ timeout: 40_000 })
  expect(await field(page, 'Legal name').inputValue()).toBe(TYPED)
})

/** Forms on a page of its own, in a drawer and in a wizard: the address, or that of the list whose first row opens it. */
const FORMS: readonly [name: string, address: string, opens?: RegExp][] = [
  ['a lot', '/customers/lots', /^Northgate Service/],
  ['a new lead rule', '/customers/lead-routing?rule=new'],
  ['a new price rule', '/inventory/pricing-rules?rule=new'],
  ['a provider mapping', '/administration/provider-mappings', /^vAuto/],
  ['a new user', '/administration/users/new'],
  ['a new assessment', '/assessments/new'],
  ['a new inventory', '/carbon/start?inventory=new'],
  ['a new emission factor', '/carbon/factors?factor=new'],
]

async function open(page: Page, address: string, opens: RegExp | undefined): Promise<void> {
  await page.goto(address)
  if (opens) await page.getByRole('main').getByRole('link', { name: opens }).first().click()
  await see(input(page))
}

for (const [how, end] of ENDINGS)
  test.each(FORMS)(
    `what was typed into the form of %s is still there after ${how}`,
    { tags: 'release' },
    async (...[, address, opens]) => {
      await giveAll()
      const page = await newPage()
      page.on('dialog', (dialog) => void dialog.accept())
      await signInAgain(page, product(), USER, 'Northgate Ford')
      await open(page, address, opens)
      const before = await input(page).inputValue()
      const typed = `${before}77`
      await input(page).fill(typed)
      await end()
      await page.reload()
      await see(kept(page).getByText(typed, { exact: false }).first())
      await giveAll()
      await open(page, address, opens)
      expect(await input(page).inputValue()).toBe(before)
      await button(page, 'Put it back').click()
      await miss(button(page, 'Put it back'))
      expect(await input(page).inputValue()).toBe(typed)
    },
  )
