import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { activities } from '#contract/carbon/activity/activity.ts'
import { evidence, EvidenceFile } from '#contract/carbon/activity/evidence.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { files } from '#contract/files/files.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { reviewerOf, takeInventoryTo } from '#test/factories/carbon/approve-inventory.ts'
import { bill, ledgerWorld } from '#test/factories/carbon/ledger-world.ts'
import { multipart } from '#test/harness/multipart.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

const PDF = '%PDF-1.7 a bill'
type UploadedFile = { name: string; bytes: string | Buffer }

async function attach(recordId: string, uploads: readonly UploadedFile[], by = admin) {
  const { payload, headers } = multipart({ recordId }, uploads)
  const { body, statusCode } = await forecourt.app.inject({
    method: 'POST',
    url: evidence.add.path,
    payload,
    headers: { ...headers, authorization: `Bearer ${by.token}` },
  })
  const answer = z
    .object({ data: z.array(EvidenceFile).nullable(), message: z.string().nullable() })
    .parse(JSON.parse(body))
  return { ...answer, statusCode }
}

async function addRecord() {
  const one = await ledgerWorld(forecourt, ford, admin)
  const { recordId } = await one.addRecord(
    { activity: 'electricity/grid', scope: '2', unit: 'kWh' },
    bill('100', 'kWh'),
  )
  return { ...one, recordId }
}

test('attaches files to a record, counts and downloads them, removes and restores them', async () => {
  const { inventoryId, recordId } = await addRecord()
  const { data } = await attach(recordId, [
    { name: 'May 2025.pdf', bytes: PDF },
    { name: 'Zähler.png', bytes: Buffer.from('89504e470d0a1a0a00', 'hex') },
  ])
  expect(data?.map(({ name, type }) => [name, type])).toEqual([
    ['May 2025.pdf', 'application/pdf'],
    ['Zähler.png', 'image/png'],
  ])
  const count = async () => (await admin.call(activities.list, { inventoryId })).results[0]?.evidence
  expect(await count()).toBe(2)
  const id = data?.[0]?.id ?? ''
  const download = await admin.send({ method: 'GET', url: `/api/carbon/get-evidence-file/${id}` })
  expect([download.status, download.text]).toEqual([200, PDF])
  expect(download.headers['content-disposition']).toContain('attachment')

  await admin.call(evidence.remove, { id })
  expect(await count()).toBe(1)
  await expect(admin.call(evidence.download, { id })).toRefuse(404)
  await admin.call(evidence.restore, { id })
  expect((await admin.call(evidence.list, { recordId })).map(({ name }) => name)).toEqual([
    'May 2025.pdf',
    'Zähler.png',
  ])
})

test('the same file is attached only once and restored only once', async () => {
  const { recordId } = await addRecord()
  const both = await Promise.all([
    attach(recordId, [{ name: 'a.pdf', bytes: PDF }]),
    attach(recordId, [{ name: 'b.pdf', bytes: PDF }]),
  ])
  expect(both.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  const [only, ...others] = await admin.call(evidence.list, { recordId })
  expect(others).toEqual([])
  await admin.call(evidence.remove, { id: only?.id ?? '' })
  await attach(recordId, [{ name: 'c.pdf', bytes: PDF }])
  await expect(admin.call(evidence.restore, { id: only?.id ?? '' })).toRefuse(409, 'has been added again')
})

test('rejects the whole upload and names the file if one is unsupported, empty or too large', async () => {
  const { recordId } = await addRecord()
  const good = { name: 'good.pdf', bytes: PDF }
  const cases: readonly [UploadedFile, number, string][] = [
    [{ name: 'run.pdf', bytes: 'MZ this runs' }, 400, "run.pdf can't be used as evidence"],
    [{ name: 'page.pdf', bytes: '<html><script>1</script>' }, 400, "page.pdf can't be used as evidence"],
    [{ name: 'empty.pdf', bytes: '' }, 400, 'empty.pdf is empty'],
    [
      { name: 'large.pdf', bytes: Buffer.concat([Buffer.from(PDF), Buffer.alloc(25_000_000)]) },
      413,
      'The limit is 25 MB.',
    ],
  ]
  for (const [bad, status, words] of cases) {
    const answer = await attach(recordId, [good, bad])
    expect([answer.statusCode, answer.message]).toEqual([status, expect.stringContaining(words)])
  }
  expect(await admin.call(evidence.list, { recordId })).toEqual([])
})

test('other rooftops, other customers and the file manager have no access to the files', async () => {
  const { recordId } = await addRecord()
  const { data } = await attach(recordId, [{ name: 'bill.pdf', bytes: PDF }])
  const id = data?.[0]?.id ?? ''
  const harbor = await forecourt.as('harbor.admin')
  await expect(harbor.call(evidence.list, { recordId })).toRefuse(404)
  await expect(harbor.call(evidence.download, { id })).toRefuse(404)
  expect((await attach(recordId, [{ name: 'x.pdf', bytes: PDF }], harbor)).statusCode).toBe(404)
  await expect(admin.call(files.getChildren, { container: '_evidence', root: '', folder: '' })).toRefuse(400)
})

test('evidence of a locked inventory cannot be added or removed', async () => {
  const { inventoryId, recordId } = await addRecord()
  const { data } = await attach(recordId, [{ name: 'bill.pdf', bytes: PDF }])
  await forecourt.owner.query(`update carbon_inventories set status = 'locked' where id = $1`, [inventoryId])
  expect((await attach(recordId, [{ name: 'x.pdf', bytes: `${PDF}.` }])).statusCode).toBe(409)
  await expect(admin.call(evidence.remove, { id: data?.[0]?.id ?? '' })).toRefuse(409)
  expect(await admin.call(evidence.list, { recordId })).toHaveLength(1)
})

test('a restatement has the evidence of its records, and the locked inventory keeps its files', async () => {
  const { inventoryId, recordId, organizationId } = await addRecord()
  const { data } = await attach(recordId, [
    { name: 'bill.pdf', bytes: PDF },
    { name: 'removed.pdf', bytes: `${PDF} that was removed` },
  ])
  const [original, removed] = data ?? []
  await admin.call(evidence.remove, { id: removed?.id ?? '' })
  const submitter = await reviewerOf(forecourt, organizationId)
  await takeInventoryTo({ submitter, approver: admin }, inventoryId, 'locked')
  const later = await admin.call(carbonInventories.restate, { id: inventoryId, reason: 'A bill was wrong' })
  const [copy] = (await admin.call(activities.list, { inventoryId: later.id })).results
  expect(copy).toMatchObject({ quantity: '100', evidence: 1 })
  const copiedId = copy?.id ?? ''
  const [file] = await admin.call(evidence.list, { recordId: copiedId })
  expect(file).toMatchObject({
    name: 'bill.pdf',
    createdAt: original?.createdAt,
    createdBy: original?.createdBy,
  })
  const download = (id = '') => admin.send({ method: 'GET', url: `/api/carbon/get-evidence-file/${id}` })
  expect((await download(file?.id)).text).toBe(PDF)

  // Once it was removed from the restatement for good, the locked inventory still has it.
  await admin.call(evidence.remove, { id: file?.id ?? '' })
  await forecourt.owner.query(
    "update evidence_files set removed_at = removed_at - interval '2 days' where inventory_id = $1",
    [later.id],
  )
  await attach(copiedId, [{ name: 'corrected.pdf', bytes: `${PDF}, corrected` }])
  expect((await download(file?.id)).status).toBe(404)
  expect((await download(original?.id)).text).toBe(PDF)
})
