import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { inboundMessages } from '#contract/leads/inbound/inbound-messages.ts'
import { leadFiles } from '#contract/leads/inbox/lead-files.ts'
import { leadMoves } from '#contract/leads/inbox/lead-moves.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { personData } from '#contract/leads/people/person-data.ts'
import type { FileStorage } from '#server/outside/file-storage.ts'
import { openFolderStorage } from '#server/outside/folder-storage.ts'
import { sweepLeadFiles } from '#server/leads/index.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { postInbound } from '#test/factories/leads/add-inbound.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let addressId: string
let mailPath: string
let storage: FileStorage
beforeAll(async () => {
  forecourt = await testApp()
  storage = await openFolderStorage(forecourt.filesFolder)
  ford = await testOrganization(forecourt, 'Northgate Ford')
  addressId = await ford.addInboundAddress({ sourceName: 'Store email' })
  mailPath = (await ford.call(inboundAddresses.renewUrls, { id: addressId })).mailPath
})
afterAll(() => forecourt.close())

const word = () => fresh('Files').replaceAll(' ', '')
const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from('photo '.repeat(50))])
const PDF = Buffer.from('%PDF-1.7 offer')
type File = { name: string; content: Buffer | string; type?: string }
const attached = ({ name, content, type = 'application/octet-stream' }: File) => ({
  Name: name,
  ContentType: type,
  Content: Buffer.from(content).toString('base64'),
})
const mail = (files: readonly File[], more: object = {}) => {
  const buyer = word()
  return JSON.stringify({
    MessageID: word(),
    FromFull: { Email: `${buyer}@mail.example`, Name: buyer },
    Subject: 'My trade-in',
    TextBody: 'See the photos.',
    Headers: [{ Name: 'Message-ID', Value: `<${word()}@mail.example>` }],
    Attachments: files.map(attached),
    ...more,
  })
}
const post = async (body: string, path = mailPath) => {
  const { status, received } = await postInbound(forecourt, path, body, 'application/json')
  expect(status).toBe(200)
  return received
}
const leadOf = (id: string | undefined) => ford.call(leads.get, { id: id ?? '' })
const send = async (files: readonly File[], more?: object) =>
  leadOf((await post(mail(files, more)))?.leads[0]?.id)
const isKept = ({ refusal }: { refusal: string | null }) => refusal === null
const entryOf = (lead: Awaited<ReturnType<typeof leadOf>>) =>
  lead.timeline.find(({ kind }) => kind === 'files')?.data.text

async function download(
  id: string,
  who = 'northgate.admin',
  where: string | undefined = who === 'northgate.admin' ? 'Northgate Ford' : undefined,
) {
  const user = await forecourt.as(who, where)
  const url = leadFiles.download.path.replace('{id}', id)
  return user.send({ method: 'GET', url })
}
const storedFiles = async () => (await storage.list([ford.customerId, '_lead-files'])) ?? []

describe('files of an email', () => {
  test('are kept with its lead, named in its timeline, and downloaded by those who may read it', async () => {
    const lead = await send([
      { name: 'car.jpg', content: JPEG, type: 'image/jpeg' },
      { name: 'offer.pdf', content: PDF, type: 'application/pdf' },
    ])
    expect(lead.attachments).toMatchObject([
      { name: 'car.jpg', type: 'image/jpeg', bytes: JPEG.length, refusal: null },
      { name: 'offer.pdf', type: 'application/pdf', bytes: PDF.length, refusal: null },
    ])
    expect(entryOf(lead)).toBe('car.jpg, offer.pdf.')
    const [photo] = lead.attachments
    const answer = await download(photo?.id ?? '')
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.headers['content-disposition']).toMatch(/^attachment/)
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    expect(answer.headers['content-security-policy']).toContain('sandbox')
    expect((await download(photo?.id ?? '', 'northgate.auditor')).status).toBe(403)
    expect((await download(photo?.id ?? '', 'harbor.admin')).status).toBe(404)
  })

  test('that could harm are refused by name, whatever they are called, and pages are saved as bytes', async () => {
    const lead = await send([
      { name: 'invoice.pdf.exe', content: 'x' },
      { name: 'photo.jpg', content: 'MZ\u0090\0program', type: 'image/jpeg' },
      { name: 'run.js', content: 'alert(1)' },
      { name: 'photos.zip', content: 'PK\u0003\u0004...' },
      { name: 'prices.xlsm', content: 'PK\u0003\u0004...' },
      { name: 'empty.txt', content: '' },
      { name: 'page.html', content: '<html><script>alert(1)</script>', type: 'text/html' },
      { name: '../../up.svg', content: '<svg onload="x"></svg>', type: 'image/svg+xml' },
    ])
    expect(lead.attachments.map(({ name, refusal }) => [name, refusal])).toEqual([
      ['invoice.pdf.exe', 'program'],
      ['photo.jpg', 'program'],
      ['run.js', 'program'],
      ['photos.zip', 'archive'],
      ['prices.xlsm', 'macros'],
      ['empty.txt', 'empty'],
      ['page.html', null],
      ['../../up.svg', null],
    ])
    expect(entryOf(lead)).toMatch(/Not kept: invoice\.pdf\.exe \(a program or script\), photo\.jpg/)
    for (const { id } of lead.attachments.filter(isKept)) {
      // oxlint-disable-next-line no-await-in-loop -- One after the other.
      const { headers } = await download(id)
      expect(headers['content-type']).toMatch(/^application\/octet-stream/)
      expect(headers['content-disposition']).not.toMatch(/\.\.\//)
    }
    for (const { id } of lead.attachments.filter((one) => !isKept(one)))
      // oxlint-disable-next-line no-await-in-loop -- One after the other.
      expect((await download(id)).status).toBe(404)
  })

  test('are 50 at most, and those that are too large or too many are named', async () => {
    const many = Array.from({ length: 200 }, (_one, at) => ({ name: `f${at}.txt`, content: `Text ${at}` }))
    const lead = await send(many)
    expect(lead.attachments.filter(isKept)).toHaveLength(50)
    expect(lead.attachments).toHaveLength(200)
    expect(entryOf(lead)).toContain('more than 50 files')
    const large = await send([{ name: 'video.mp4', content: Buffer.alloc(25_100_000, 1) }])
    expect(large.attachments).toMatchObject([{ refusal: 'tooLarge' }])
  }, 60_000)

  test('of the same email twice, also at the same moment, are there once', async () => {
    const before = (await storedFiles()).length
    const body = mail([{ name: 'car.jpg', content: JPEG }])
    const answers = await Promise.all([post(body), post(body), post(body)])
    const lead = await leadOf(answers[0]?.leads[0]?.id)
    expect(lead.attachments).toHaveLength(1)
    expect((await storedFiles()).length).toBe(before + 1)
  })

  test('of an email that a fault prevents come with it when it is sent again, and nothing is left behind', async () => {
    const before = (await storedFiles()).length
    const body = mail([{ name: 'car.jpg', content: JPEG }])
    await forecourt.owner.query('alter table lead_events add constraint scratch check (false) not valid')
    const failed = await postInbound(forecourt, mailPath, body, 'application/json')
    await forecourt.owner.query('alter table lead_events drop constraint scratch')
    expect(failed.status).toBe(500)
    expect((await storedFiles()).length).toBe(before)
    const lead = await leadOf((await post(body))?.leads[0]?.id)
    expect(lead.attachments).toMatchObject([{ name: 'car.jpg', refusal: null }])
  })

  test('of a reply are with the lead that it answers', async () => {
    const id = await ford.addLead()
    await ford.call(leads.sendEmail, { id, subject: 'Your Escape', text: 'It is still here.' })
    const { rows } = await forecourt.owner.query<{ token: string }>(
      'select reply_token as token from leads where id = $1',
      [id],
    )
    await post(mail([{ name: 'trade.jpg', content: JPEG }], { MailboxHash: rows[0]?.token }))
    const lead = await leadOf(id)
    expect(lead.attachments).toMatchObject([{ name: 'trade.jpg' }])
    expect((await download(lead.attachments[0]?.id ?? '')).status).toBe(200)
  })

  test('of an automatic email are there once it is a lead, and before that no one downloads them', async () => {
    const headers = [{ Name: 'Precedence', Value: 'bulk' }]
    const received = await post(mail([{ name: 'run-list.pdf', content: PDF }], { Headers: headers }))
    const id = received?.messageId ?? ''
    expect((await ford.call(inboundMessages.get, { id })).files).toMatchObject([{ name: 'run-list.pdf' }])
    const { rows } = await forecourt.owner.query<{ id: string }>('select max(id)::text as id from lead_files')
    expect((await download(rows[0]?.id ?? '')).status).toBe(404)
    const { leads: added } = await ford.call(inboundMessages.retry, { id, isInquiry: true })
    expect((await leadOf(added[0]?.id)).attachments).toMatchObject([{ name: 'run-list.pdf', refusal: null }])
  })

  test('go with a lead to another store', async () => {
    const toyota = await testOrganization(forecourt, 'Northgate Toyota')
    const lead = await send([{ name: 'car.jpg', content: JPEG }])
    const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
    const stores = await admin.call(leadMoves.stores, { id: lead.id })
    const store = stores.find(({ name }) => /Toyota/.test(name))
    const { version } = await leadOf(lead.id)
    await admin.call(leadMoves.move, {
      id: lead.id,
      version,
      lotId: store?.lotId ?? '',
      reason: 'They sell it.',
    })
    const moved = await toyota.call(leads.get, { id: lead.id })
    expect(moved.attachments).toMatchObject([{ name: 'car.jpg', refusal: null }])
    const fileId = moved.attachments[0]?.id ?? ''
    expect((await download(fileId, 'northgate.admin', 'Northgate Toyota')).status).toBe(200)
    expect((await download(lead.attachments[0]?.id ?? '')).status).toBe(404)
  })

  test('are in the export of a person, and are erased with them and deleted with the lead', async () => {
    const erased = await send([{ name: 'license.jpg', content: JPEG }])
    const contact = erased.personEmail ?? ''
    const exported = await ford.call(personData.export, { contact })
    expect(exported.files).toMatchObject([{ name: 'license.jpg', size: JPEG.length }])
    const { counts } = await ford.call(personData.find, { contact })
    await ford.call(personData.erase, { contact, confirmed: counts })
    const removed = await send([{ name: 'other.jpg', content: JPEG }])
    await ford.call(leads.remove, { id: removed.id, version: removed.version })
    const { rows } = await forecourt.owner.query(
      "select from lead_files where name in ('license.jpg', 'other.jpg')",
    )
    expect(rows).toHaveLength(0)
    const { rows: kept } = await forecourt.owner.query<{ count: number }>(
      'select count(distinct stored_as)::int as count from lead_files where customer_id = $1',
      [ford.customerId],
    )
    const parts = { storage, iam: forecourt.identity.iam, pool: forecourt.appPool }
    await sweepLeadFiles(parts, Date.now() + 2 * 3_600_000)
    expect((await storedFiles()).length).toBe(kept[0]?.count)
  })
})
