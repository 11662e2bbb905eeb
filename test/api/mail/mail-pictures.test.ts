import { afterAll, beforeAll, expect, test } from 'vitest'
import { files } from '#contract/files/files.ts'
import { users } from '#contract/identity/users/users.ts'
import { mediaAddress } from '#contract/mail/templates/template-pictures.ts'
import { emailTemplates } from '#contract/mail/templates/templates.ts'
import { BUILT_IN_TEMPLATES } from '#server/mail/templates/built-in-templates.ts'
import { openPostmark } from '#server/outside/postmark.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { ownFolder, sendFiles } from '#test/factories/files/file-calls.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { startFakePostmarkServer } from '#test/fakes/postmark.ts'
import { startFakeSmtpServer, type FakeSmtpServer } from '#test/fakes/smtp.ts'
import { paintPng } from '../../../demo/pictures.ts'

const PNG = paintPng({ width: 30, height: 20 }, [200, 220, 240], [11, 110, 79])
const key = 'invitation'
const own = BUILT_IN_TEMPLATES[key].words

let smtp: FakeSmtpServer
let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
let path: string
beforeAll(async () => {
  smtp = await startFakeSmtpServer()
  forecourt = await testApp({
    FORECOURT_SMTP_URL: smtp.url,
    FORECOURT_MAIL_FROM: 'noreply@forecourt.example',
  })
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const folder = await ownFolder(admin)
  path = `${folder}/Hero & co.png`
  await sendFiles(forecourt, admin, { path: folder }, [{ name: 'Hero & co.png', bytes: PNG }])
})
afterAll(async () => {
  await forecourt.close()
  await smtp.close()
})

const withPicture = (at: string) =>
  own.mjml.replace(
    '<mj-text>Hello',
    `<mj-image src="${mediaAddress(at)}" alt="The showroom" /><mj-text>Hello`,
  )

async function save(mjml: string, caller = admin) {
  const { version } = await caller.call(emailTemplates.get, { key })
  return caller.call(emailTemplates.update, { key, version, ...own, mjml })
}

/** The raw email, with wrapped lines joined. */
async function invite(): Promise<string> {
  const id = await ford.createUser()
  const { email } = await admin.call(users.sendPasswordMail, { id })
  await forecourt.outbox.deliver()
  return smtp.emails.find(({ to }) => to.includes(email))?.raw ?? ''
}

test('embeds a media picture, read when the email is sent', async () => {
  await save(withPicture(path))
  const raw = await invite()
  expect(raw).toContain('multipart/related')
  expect(raw).toContain('Content-ID: <picture-1@forecourt.invalid>')
  expect(raw.replace(/=\r\n/g, '')).toContain('cid:picture-1@forecourt.invalid')
  expect(raw.replace(/\r\n/g, '')).toContain(PNG.toString('base64'))
  expect(raw).not.toContain('media:')
})

test('replaces a deleted picture with its alt text, and still sends the email', async () => {
  const folder = await ownFolder(admin)
  await sendFiles(forecourt, admin, { path: folder }, [{ name: 'Old.png', bytes: PNG }])
  await save(withPicture(`${folder}/Old.png`))
  await admin.call(files.delete, { container: 'media', toDelete: [folder] })
  const raw = await invite()
  expect(raw).toContain('The showroom')
  expect(raw).not.toMatch(/multipart\/related|media:|cid:/)
})

test('a preview inlines the picture, and a missing one is rejected at its field', async () => {
  const shown = await admin.call(emailTemplates.preview, { key, ...own, mjml: withPicture(path) })
  expect(shown.problems).toEqual([])
  expect(shown.html).toContain(`data:image/png;base64,${PNG.toString('base64')}`)
  await expect(save(withPicture('Nowhere.png'))).toRefuse(400, 'Some fields are invalid.')
  const missing = await admin.call(emailTemplates.preview, { key, ...own, mjml: withPicture('Nowhere.png') })
  expect(missing.problems).toEqual([
    { part: 'mjml', line: null, sentence: "Media has no picture Nowhere.png, or it's larger than 500 kB." },
  ])
})

test('cannot preview or send a picture of another customer', async () => {
  const harbor = await forecourt.as('harbor.admin')
  const shown = await harbor.call(emailTemplates.preview, { key, ...own, mjml: withPicture(path) })
  expect(shown.problems).toHaveLength(1)
  expect(shown.html).not.toContain('data:image')
  await expect(save(withPicture(path), harbor)).toRefuse(400)
  // No path escapes the customer's media.
  const { rows } = await forecourt.owner.query<{ id: string }>(
    `select customer_id as id from users where user_name = 'northgate.admin'`,
  )
  for (const way of [`../../${rows[0]?.id}/media/${path}`, `/${rows[0]?.id}/media/${path}`, `..\\${path}`]) {
    const out = await harbor.call(emailTemplates.preview, { key, ...own, mjml: withPicture(way) })
    expect([out.problems.length, out.html.includes('data:image')]).toEqual([1, false])
  }
})

test('users without permission to read media cannot see pictures through a template', async () => {
  await forecourt.owner.query(
    `insert into user_permissions (customer_id, user_id, func, opr, is_allowed)
    select customer_id, id, 36, 2, false from users where user_name = 'northgate.admin'`,
  )
  const blind = await forecourt.as('northgate.admin', 'Northgate Ford')
  const shown = await blind.call(emailTemplates.preview, { key, ...own, mjml: withPicture(path) })
  expect(shown.html).not.toContain('data:image')
  expect(shown.problems[0]?.sentence).toMatch(/To see it, you need Media, read \(36, 2\)\.$/)
  await forecourt.owner.query(`delete from user_permissions where func = 36 and opr = 2`)
})

test('sends the picture to Postmark as a referenced attachment', async () => {
  const postmark = await startFakePostmarkServer()
  const sender = { name: null, email: 'desk@northgate.example', replyTo: null }
  const { url, token } = postmark
  const picture = { id: 'picture-1@forecourt.invalid', name: 'Hero.png', type: 'image/png', bytes: PNG }
  const mail = { key: 'k', toName: 'Ina', toEmail: 'ina@example.com', subject: 's', text: 't' }
  const transport = openPostmark({ url, token, stream: null, sender })
  await transport.send({ ...mail, html: `<img src="cid:${picture.id}">`, pictures: [picture] })
  await transport.send(mail)
  await postmark.close()
  // Postmark's documentation: "Sending an email with inline images".
  expect(postmark.emails.map((taken) => taken['Attachments'])).toEqual([
    [
      {
        Name: 'Hero.png',
        Content: PNG.toString('base64'),
        ContentType: 'image/png',
        ContentID: 'cid:picture-1@forecourt.invalid',
      },
    ],
    undefined,
  ])
})
