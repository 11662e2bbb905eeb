import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { auth, WhiteLabel } from '#contract/identity/auth.ts'
import { type DomainWhiteLabel, whiteLabels } from '#contract/identity/branding/white-labels.ts'
import { users } from '#contract/identity/users/users.ts'
import { paintPng, drawLogo } from '../../../demo/pictures.ts'
import { type Caller, refusalOf, testApp, type TestApp } from '#test/app.ts'
import { between } from '#test/harness/concurrently.ts'
import { mailsTo } from '#test/factories/mail/mails.ts'
import { startFakeDnsServer, type FakeDnsServer } from '#test/fakes/dns.ts'
import { addAllRightsHere } from '#test/factories/identity/all-rights.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let names: FakeDnsServer
let admin: Caller
let harbor: Caller
let ford: TestOrganization
beforeAll(async () => {
  names = await startFakeDnsServer()
  forecourt = await testApp({
    FORECOURT_NAME_SERVERS: names.address,
    PUBLIC_URL: 'https://backoffice.forecourt.example',
    FORECOURT_DEMO: '1',
  })
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  harbor = await forecourt.as('harbor.admin')
})
afterAll(async () => {
  await forecourt.close()
  await names.close()
})
beforeEach(() => names.texts.clear())

const newDomain = () => `${fresh('cars').replace(' ', '-')}.northgate.example`
const add = (more: object = {}): Promise<DomainWhiteLabel> =>
  admin.call(whiteLabels.save, { domain: newDomain(), title: 'Northgate Cars', ...more })
const dataOf = (bytes: Buffer | string, type = 'image/png') =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
const PNG = paintPng({ width: 16, height: 16 }, [1, 2, 3], [4, 5, 6])

async function verify(label: DomainWhiteLabel) {
  const [txt] = label.records
  names.texts.set(txt?.name ?? '', [txt?.value ?? ''])
  return admin.call(whiteLabels.verify, { id: label.id })
}

async function brandingOf(host: string): Promise<WhiteLabel> {
  const answer = await forecourt.anonymous.send({
    method: 'GET',
    url: auth.whiteLabel.path,
    headers: { host },
  })
  return z.object({ data: WhiteLabel }).parse(JSON.parse(answer.text)).data
}

describe('a domain', () => {
  test('that is new lists the records to add, and does not show its branding', async () => {
    const label = await add({ brand: '#003DA5' })
    expect(label).toMatchObject({ purpose: 'office', brand: '#003da5', verifiedAt: null, version: 1 })
    expect(label.records).toEqual([
      {
        type: 'TXT',
        name: `_forecourt.${label.domain}`,
        value: expect.stringMatching(/^forecourt-domain=[0-9a-f]{32}$/),
      },
      { type: 'CNAME', name: label.domain, value: 'backoffice.forecourt.example' },
    ])
    expect((await brandingOf(label.domain)).title).toBe('Forecourt')
  })

  test('shows its branding only after its record was found', async () => {
    const label = await add({ logo: dataOf(PNG), footer: 'Ours' })
    const without = await admin.call(whiteLabels.verify, { id: label.id })
    expect(without).toMatchObject({
      whiteLabel: { verifiedAt: null },
      message: `There's no TXT record yet at _forecourt.${label.domain}. New records can take an hour to appear.`,
    })
    names.texts.set(`_forecourt.${label.domain}`, ['v=spf1 -all'])
    expect((await admin.call(whiteLabels.verify, { id: label.id })).message).toMatch(/has a different value/)
    const { whiteLabel, message } = await verify(label)
    expect(message).toBe('Verified. The record was found.')
    expect(whiteLabel.verifiedAt).not.toBeNull()
    expect(await brandingOf(label.domain)).toMatchObject({
      title: 'Northgate Cars',
      logo: label.logo,
      footer: 'Ours',
    })
  })

  test('that is renamed has to be verified again, with another record', async () => {
    const label = await add()
    await verify(label)
    const moved = await admin.call(whiteLabels.save, { id: label.id, domain: newDomain() })
    expect(moved.verifiedAt).toBeNull()
    expect(moved.records[0]?.value).not.toBe(label.records[0]?.value)
    expect((await brandingOf(moved.domain)).title).toBe('Forecourt')
    // Other changes keep the verification.
    const same = await admin.call(whiteLabels.save, { id: label.id, domain: moved.domain, title: 'Other' })
    expect(same).toMatchObject({ title: 'Other', brand: '#0b6e4f', records: moved.records })
  })

  test('of one customer is in use for another, whatever its status', async () => {
    const label = await add()
    const sentence = 'This domain is already in use.'
    for (const caller of [harbor, admin]) {
      const { status, refusal } = await refusalOf(
        caller.call(whiteLabels.save, { domain: label.domain.toUpperCase(), title: 'Mine' }),
      )
      expect({ status, message: refusal.message, fields: refusal.fields }).toEqual({
        status: 409,
        message: sentence,
        fields: { domain: sentence },
      })
    }
    for (const call of [whiteLabels.get, whiteLabels.verify, whiteLabels.remove]) {
      await expect(harbor.call<typeof call.input, z.ZodType>(call, { id: label.id })).toRefuse(404)
    }
    await expect(harbor.call(whiteLabels.save, { id: label.id, title: 'Mine' })).toRefuse(404)
  })

  test.for([
    ['backoffice.forecourt.example', 'This domain is already used by this installation.'],
    ['mine.localhost', 'Names ending in .localhost always mean the local machine. Enter a public domain.'],
    ['localhost', 'Enter a domain'],
    ['127.0.0.1', 'Enter a domain'],
    ['cars.example.com:8080', 'Enter a domain'],
    ['cars..example.com', 'Enter a domain'],
    ['*.example.com', 'Enter a domain'],
    ['', 'Domain is required.'],
  ] as const)('cannot be %s', async ([domain, sentence]) => {
    const { status, refusal } = await refusalOf(admin.call(whiteLabels.save, { domain, title: 'T' }))
    expect({ status, domain: refusal.fields?.domain }).toEqual({
      status: 400,
      domain: expect.stringContaining(sentence),
    })
  })

  test('that is removed shows the default branding, and its pictures are deleted', async () => {
    const label = await add({ favicon: dataOf(drawLogo(fresh('GONE'), '#1d5bb0'), 'image/svg+xml') })
    await verify(label)
    await admin.call(whiteLabels.remove, { id: label.id })
    expect((await brandingOf(label.domain)).title).toBe('Forecourt')
    const { status } = await forecourt.anonymous.send({ method: 'GET', url: label.favicon ?? '' })
    expect(status).toBe(404)
    await expect(admin.call(whiteLabels.remove, { id: label.id })).toRefuse(404)
  })

  test('that two users change at once rejects the second as stale', async () => {
    const label = await add()
    await admin.call(whiteLabels.save, { id: label.id, version: label.version, title: 'First' })
    const refusal = await refusalOf(
      admin.call(whiteLabels.save, { id: label.id, version: label.version, title: 'Second' }),
    )
    expect(refusal).toMatchObject({ status: 409, refusal: { current: { title: 'First' } } })
  })

  test('can be verified by platform staff without a record', async () => {
    const label = await add()
    const staff = await forecourt.as('super', 'Northgate Ford')
    const { whiteLabel, message } = await staff.call(whiteLabels.verify, { id: label.id })
    expect(whiteLabel.verifiedAt).not.toBeNull()
    expect(message).toBe('Verified by platform staff.')
  })

  test('is logged in the audit log, with pictures by name only', async () => {
    const label = await add({ logo: dataOf(PNG) })
    const { rows } = await forecourt.owner.query<{ endpoint: string; length: number }>(
      `select endpoint, length(after::text) as length from audit_log
      where table_name = 'white_labels' and row_id = $1 and operation = 'insert'`,
      [label.id],
    )
    expect(rows).toEqual([{ endpoint: 'whiteLabels.save', length: expect.any(Number) }])
    expect(rows[0]?.length).toBeLessThan(1_500)
  })
})

describe('permissions', () => {
  test('reading requires its permission; changes also require access to all organizations and administering users', async () => {
    const type = await addAllRightsHere(ford)
    await ford.addMember({ userName: 'domain.narrow', userType: type })
    const narrow = await forecourt.as('domain.narrow')
    const label = await add()
    await expect(narrow.call(whiteLabels.get, { id: label.id })).resolves.toMatchObject({ id: label.id })
    await expect(narrow.call(whiteLabels.save, { domain: newDomain(), title: 'T' })).toRefuse(
      403,
      'Domains are managed by users with access to the whole customer.',
    )
    await expect(narrow.call(whiteLabels.verify, { id: label.id })).toRefuse(403)
    await forecourt.owner.query(
      `insert into user_permissions (customer_id, user_id, func, opr, is_allowed)
      select customer_id, id, 2, 8, false from users where user_name = 'northgate.admin'`,
    )
    try {
      await expect(admin.call(whiteLabels.remove, { id: label.id })).toRefuse(403, '(2, 8)')
    } finally {
      await forecourt.owner.query('delete from user_permissions where func = 2 and opr = 8')
    }
  })

  test('a password link uses only a verified back office domain', async () => {
    await forecourt.owner.query('delete from white_labels where customer_id = $1', [ford.customerId])
    const linkOf = async () => {
      const id = await ford.createUser()
      await admin.call(users.sendPasswordMail, { id })
      const [mail] = await mailsTo(forecourt, { id })
      return /https:\/\/[^/\s]+/.exec(mail?.text ?? '')?.[0]
    }
    const waiting = await add()
    const open = await add({ purpose: 'public' })
    await verify(open)
    expect(await linkOf()).toBe('https://backoffice.forecourt.example')
    await verify(waiting)
    expect(await linkOf()).toBe(`https://${waiting.domain}`)
  })
})

describe('a picture', () => {
  test('that one domain removes stays if another one takes it at the same time', async () => {
    const logo = dataOf(paintPng({ width: 8, height: 8 }, [7, 7, 7], [8, 8, 8]))
    const [first, { id, domain }] = [await add({ logo }), await add()]
    // A domain that takes the name of a removed one waits until the removal is done.
    const held = `delete from white_labels where id = ${id}`
    const outcomes = await between(forecourt.owner, held, [
      () => add({ domain, logo }),
      () => admin.call(whiteLabels.save, { id: first.id, logo: null }),
    ])
    expect(outcomes).toMatchObject([{ value: { logo: first.logo } }, { value: { logo: null } }])
    expect((await forecourt.anonymous.send({ method: 'GET', url: first.logo ?? '' })).status).toBe(200)
  })

  test('is served to everyone, cached forever, and never as a page', async () => {
    const { logo } = await add({ logo: dataOf(PNG, 'text/html') })
    const { status, headers, bytes } = await forecourt.anonymous.send({ method: 'GET', url: logo ?? '' })
    expect({ status, isSame: bytes.equals(PNG) }).toEqual({ status: 200, isSame: true })
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-disposition': expect.stringMatching(/^attachment/),
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    })
  })

  test('stays when the form is saved unchanged, and is deleted when it is removed', async () => {
    const label = await add({ logo: dataOf(PNG) })
    const again = await admin.call(whiteLabels.save, { id: label.id, logo: label.logo, favicon: label.logo })
    expect(again).toMatchObject({ logo: label.logo, favicon: label.logo })
    const gone = await admin.call(whiteLabels.save, { id: label.id, logo: null, favicon: '' })
    expect(gone).toMatchObject({ logo: null, favicon: null })
  })

  const svg = (inside: string) =>
    dataOf(`<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8">${inside}</svg>`, 'image/svg+xml')
  test.for([
    ['a page', dataOf('<!doctype html><script>alert(1)</script>'), 'Choose a PNG'],
    ['plain text', dataOf('hello'), 'Choose a PNG'],
    ['an SVG with a script', svg('<script>alert(1)</script>'), 'contains scripts'],
    ['an SVG with an event handler', svg('<rect onload="alert(1)"/>'), 'contains scripts'],
    ['an SVG with an embedded page', svg('<foreignObject/>'), 'contains scripts'],
    ['a file that is too large', dataOf(Buffer.concat([PNG, Buffer.alloc(200_001)])), 'too large'],
    ['another path', '/etc/passwd', "This isn't a picture."],
    ['an external URL', 'https://elsewhere.example/x.png', "This isn't a picture."],
    ['an unknown picture', `/api/auth/brand-picture/${'f'.repeat(64)}`, 'no longer exists'],
  ] as const)('is rejected on its field: %s', async ([, logo, sentence]) => {
    const { status, refusal } = await refusalOf(add({ logo }))
    expect({ status, logo: refusal.fields?.logo }).toEqual({
      status: 400,
      logo: expect.stringContaining(sentence),
    })
  })

  test('of another customer cannot be used', async () => {
    const { logo } = await harbor.call(whiteLabels.save, {
      domain: `${fresh('h').replace(' ', '')}.harbor.example`,
      title: 'Harbor',
      logo: dataOf(drawLogo(fresh('HARBOR'), '#1d5bb0'), 'image/svg+xml'),
    })
    await expect(add({ logo })).toRefuse(400)
  })
})

test('a footer is sanitized when it is saved', async () => {
  const label = await add({
    footer:
      '<p onclick="x()">Ours<script>x()</script> <a href="javascript:x()">no</a> <b>bold</b><iframe></iframe></p>',
  })
  const { rows } = await forecourt.owner.query<{ footer: string }>(
    'select footer from white_labels where id = $1',
    [label.id],
  )
  expect(rows[0]?.footer).toBe(label.footer)
  expect(label.footer).toContain('<b>bold</b>')
  expect(label.footer).not.toMatch(/script|onclick|iframe/)
})

describe('a proxy that checks a domain before requesting a certificate', () => {
  const ask = (domain: string) => forecourt.anonymous.call(whiteLabels.isServed, { domain })

  test('is allowed verified domains and the own address, and nothing else', async () => {
    const label = await add()
    await expect(ask(label.domain)).toRefuse(404)
    await verify(label)
    await expect(ask(label.domain.toUpperCase())).resolves.toBeNull()
    await expect(ask('backoffice.forecourt.example')).resolves.toBeNull()
    await expect(ask('someone.else.example')).toRefuse(404)
  })

  test('is denied domains of a suspended customer', async () => {
    const label = await add()
    await verify(label)
    await forecourt.owner.query(`update customers set status = 'suspended' where id = $1`, [ford.customerId])
    try {
      await expect(ask(label.domain)).toRefuse(404)
    } finally {
      await forecourt.owner.query(`update customers set status = 'active' where id = $1`, [ford.customerId])
    }
  })
})

test('unreachable name servers are reported, and nothing is verified', async () => {
  const label = await add()
  const silent = await startFakeDnsServer()
  silent.stopAnswering()
  const deaf = await testApp({ FORECOURT_NAME_SERVERS: silent.address })
  try {
    const own = await deaf.as('northgate.admin', 'Northgate Ford')
    const { id } = await own.call(whiteLabels.save, { domain: label.domain, title: 'T' })
    await expect(own.call(whiteLabels.verify, { id })).toRefuse(503, 'DNS servers are not responding')
    expect((await own.call(whiteLabels.get, { id })).verifiedAt).toBeNull()
  } finally {
    await deaf.close()
    await silent.close()
  }
}, 60_000)

test('on a loopback-only installation, .localhost names need no record', async () => {
  const local = await testApp()
  try {
    const own = await local.as('northgate.admin', 'Northgate Ford')
    const label = await own.call(whiteLabels.save, { domain: 'cars.localhost', title: 'Here' })
    expect(label.verifiedAt).not.toBeNull()
    expect(label.records.map(({ type }) => type)).toEqual(['TXT'])
  } finally {
    await local.close()
  }
})
