import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { users } from '#contract/identity/users/users.ts'
import { outbox } from '#contract/mail/outbox/outbox.ts'
import { emailTemplates } from '#contract/mail/templates/templates.ts'
import { BUILT_IN_TEMPLATES } from '#server/mail/templates/built-in-templates.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { concurrently } from '#test/harness/concurrently.ts'
import { rowsOf } from '#test/factories/mail/outbox-rows.ts'
import { mailsTo } from '#test/factories/mail/mails.ts'
import { addAllRightsHere } from '#test/factories/identity/all-rights.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { startFakeSmtpServer, type FakeSmtpServer } from '#test/fakes/smtp.ts'

let smtp: FakeSmtpServer
let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
beforeAll(async () => {
  smtp = await startFakeSmtpServer()
  forecourt = await testApp({
    FORECOURT_SMTP_URL: smtp.url,
    FORECOURT_MAIL_FROM: 'noreply@forecourt.example',
  })
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(async () => {
  await forecourt.close()
  await smtp.close()
})

const key = 'invitation'
const own = BUILT_IN_TEMPLATES[key].words

/** Saves a template over the current version. */
async function save(more: Partial<typeof own>, caller = admin) {
  const { version } = await caller.call(emailTemplates.get, { key })
  return caller.call(emailTemplates.update, { key, version, ...own, ...more })
}

async function invite(caller = admin, place = ford) {
  const id = await place.createUser()
  const { email } = await caller.call(users.sendPasswordMail, { id })
  const [mail] = await mailsTo(forecourt, { id })
  return { id, email, mail }
}

describe('an email', () => {
  test('uses the built-in template, as text and HTML with the same link', async () => {
    const { email, mail } = await invite()
    await forecourt.outbox.deliver()
    const raw = smtp.emails.find(({ to }) => to.includes(email))?.raw ?? ''
    expect(mail).toMatchObject({
      subject: 'Your account at Forecourt',
      text: expect.stringContaining('Hello Ina,'),
    })
    expect(raw).toContain('multipart/alternative')
    expect(raw).toContain('text/html')
  })

  test('uses the template of its customer, and of no other', async () => {
    await save({ subject: 'Welcome to {{ title }}, {{ firstName }}' })
    const harbor = await testOrganization(forecourt, 'Harbor Honda')
    const boss = await forecourt.as('harbor.admin')
    const [here, there] = [await invite(), await invite(boss, harbor)]
    expect([here.mail?.subject, there.mail?.subject]).toEqual([
      'Welcome to Forecourt, Ina',
      'Welcome aboard, Ina',
    ])
  })

  test('masks its link in the outbox, whatever surrounds it', async () => {
    await save({ text: 'Hi({{ link }}){{ link }}x' })
    const { id } = await invite()
    const [row] = await rowsOf(forecourt.owner, id)
    const shown = await admin.call(outbox.get, { id: row?.id ?? '' })
    expect(shown.text).toContain('#\u2022')
    expect(shown.text).not.toMatch(/#[\w-]/)
    const { rows } = await forecourt.owner.query<{ row: string }>(
      'select (m.*)::text as row from outbox_mails m where id = $1',
      [row?.id],
    )
    expect(rows[0]?.row).not.toContain('reset-password#')
  })

  test("falls back to the built-in template if the customer's is broken", async () => {
    const { version } = await save({})
    await forecourt.owner.query(
      `insert into email_templates (customer_id, key, version, subject, mjml, plain_text)
      values ($1, $2, $3, '{{ gone }}', '<mjml>', 'nothing')`,
      [ford.customerId, key, version + 1],
    )
    const { mail } = await invite()
    expect(mail).toMatchObject({ subject: 'Your account at Forecourt', text: expect.stringContaining('#') })
  })
})

describe('a template', () => {
  test.for([
    [{ text: 'Hello\n{{ fristName }} {{ link }}' }, { text: expect.stringMatching(/^Line 2: .*fristName/) }],
    [{ text: 'Hello.' }, { text: expect.stringContaining('link is missing') }],
    [{ text: '{% for i in (1..99999999) %}{{ i }}{% endfor %}{{ link }}' }, { text: expect.any(String) }],
    [{ subject: '' }, { subject: 'Subject is required.' }],
  ])('rejects %o with its location', async ([more, fields]) => {
    const { status, refusal } = await refusalOf(save(more ?? {}))
    expect([status, refusal.fields]).toEqual([400, fields])
  })

  test('does not block others while it loops', async () => {
    const mjml = '{% for i in (1..99999999) %}{% for j in (1..99999999) %}x{% endfor %}{% endfor %}'
    const isAnsweredMeanwhile = async (): Promise<boolean> => {
      let isOver = false
      const looping = admin
        .call(emailTemplates.preview, { key, ...own, mjml })
        .finally(() => void (isOver = true))
      await admin.call(emailTemplates.list, {})
      const isFirst = !isOver
      expect((await looping).problems.length).toBeGreaterThan(0)
      return isFirst
    }
    // A slow machine can take that long once; a blocking loop would every time.
    await expect.poll(isAnsweredMeanwhile).toBe(true)
  })

  test('has versions: rejects an outdated save, and restores an earlier version and the built-in one', async () => {
    const first = await save({ subject: 'First' })
    await save({ subject: 'Second' })
    const late = await refusalOf(
      admin.call(emailTemplates.update, { key, version: first.version, ...own, subject: 'Late' }),
    )
    expect([late.status, late.refusal.current]).toMatchObject([409, { subject: 'Second' }])
    const back = await admin.call(emailTemplates.restore, {
      key,
      version: first.version + 1,
      to: first.version,
    })
    expect(back).toMatchObject({ subject: 'First', version: first.version + 2, updatedBy: 'Dana Whitfield' })
    const product = await admin.call(emailTemplates.restore, { key, version: back.version, to: 1 })
    expect(product).toMatchObject({ ...own, isChanged: false })
    const versions = await admin.call(emailTemplates.versions, { key })
    expect([versions[0], versions.at(-1)]).toMatchObject([
      { version: product.version, isBuiltIn: true },
      { version: 1, isBuiltIn: true, at: null },
    ])
    await expect(admin.call(emailTemplates.restore, { key, version: product.version, to: 999 })).toRefuse(404)
  })

  test("rejects the second of two concurrent saves with the first one's result", async () => {
    const other = 'password-reset'
    const { version, mjml, text } = await admin.call(emailTemplates.get, { key: other })
    const outcomes = await concurrently(
      forecourt.owner,
      'lock table email_templates in share mode',
      ['One {{ title }}', 'Other {{ title }}'].map(
        (subject) => () => admin.call(emailTemplates.update, { key: other, version, subject, mjml, text }),
      ),
    )
    const kept = await admin.call(emailTemplates.get, { key: other })
    expect(kept.version).toBe(version + 1)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toEqual([
      { status: 'fulfilled', value: kept },
    ])
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { status: 409, refusal: { current: { subject: kept.subject, version: kept.version } } },
    })
  })

  test('is tested with an email with sample data, whose link opens nothing', async () => {
    const answer = await admin.call(emailTemplates.test, { key, toEmail: 'try@people.example' })
    await forecourt.outbox.deliver()
    const raw = smtp.emails.find(({ to }) => to.includes('try@people.example'))?.raw ?? ''
    expect(answer.isSent).toBe(true)
    expect(raw).toContain('Subject: Test: Your account at Northgate Cars')
  })

  test('cannot be changed by users with organization reach', async () => {
    await ford.addMember({
      userName: 'narrow.words',
      userType: await addAllRightsHere(ford),
    })
    const narrow = await forecourt.as('narrow.words')
    await expect(save({ subject: 'Mine' }, narrow)).toRefuse(403, 'access to the whole customer')
  })
})
