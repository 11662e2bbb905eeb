import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { auth, WhiteLabel } from '#contract/identity/auth.ts'
import { testApp, type TestApp } from '#test/app.ts'

let forecourt: TestApp
beforeAll(async () => {
  forecourt = await testApp()
  await forecourt.owner.query(
    `insert into white_labels (customer_id, domain, logo, favicon, title, footer, brand)
    select id, 'branded.northgate.example', '/northgate.png', '/northgate.ico', 'Northgate <b>Office</b>',
      '<p onclick="x()">Ours<script>alert(1)</script> <a href="javascript:x()">no</a> <a href="https://northgate.example">yes</a></p>',
      '#003da5'
    from customers where name = 'Northgate Motor Group'`,
  )
})
afterAll(() => forecourt.close())

async function brandingOf(host: string): Promise<WhiteLabel> {
  const answer = await forecourt.anonymous.send({
    method: 'GET',
    url: auth.whiteLabel.path,
    headers: { host },
  })
  return z.object({ data: WhiteLabel }).parse(JSON.parse(answer.text)).data
}

test('a customer domain shows its branding, regardless of port and case', async () => {
  const branding = await brandingOf('Branded.Northgate.example:8443')
  expect(branding).toMatchObject({ logo: '/northgate.png', favicon: '/northgate.ico', brand: '#003da5' })
  expect(branding.title).toBe('Northgate <b>Office</b>')
})

test('the footer keeps text and safe links, and no active content', async () => {
  const { footer } = await brandingOf('branded.northgate.example')
  expect(footer).toContain('https://northgate.example')
  expect(footer).not.toMatch(/script|onclick|javascript/)
})

test.for(['localhost', 'someone.else.example', 'northgate.example'])(
  '%s shows the default branding',
  async (host) => {
    expect((await brandingOf(host)).title).toBe('Forecourt')
  },
)

test('the branding of a suspended customer is not shown', async () => {
  await forecourt.owner.query(
    "update customers set status = 'suspended' where name = 'Northgate Motor Group'",
  )
  expect((await brandingOf('branded.northgate.example')).title).toBe('Forecourt')
})
