import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { type Form, forms } from '#contract/marketing/forms/forms.ts'
import { submissions } from '#contract/marketing/forms/submissions.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { search } from '#contract/home/search.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { ASK } from '#test/factories/marketing/add-marketing.ts'
import { visitorOf } from '#test/factories/marketing/visitor.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { testDocument } from '#test/suites/documents.ts'

const HOST = 'northgate.localhost'
let forecourt: TestApp
let admin: Caller
/** Of another customer. */
let stranger: Caller
let place: TestOrganization
let lotId: string

beforeAll(async () => {
  forecourt = await testApp({ FORECOURT_DEMO: '1' })
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  stranger = await forecourt.as('harbor.admin')
  place = await testOrganization(forecourt, 'Northgate Ford')
  await forecourt.owner.query('delete from pricing_rules')
  lotId = await place.addLot()
  await place.call(lots.update, { id: lotId, phone: '+1 916 555 0100' })
})
afterAll(() => forecourt.close())

const en = (text: string) => ({ en: text })
const addressOf = (form: Pick<Form, 'key'>) => `/f/${form.key}`
/** A visitor of Northgate's site. */
const visitor = (host = HOST) => visitorOf(forecourt, host)

const found = async (text: string, caller: Caller = admin) => {
  const { results } = await caller.call(submissions.list, { search: text })
  return results ?? []
}

describe('a form is a document:', () => {
  testDocument(forms, () => ({ caller: admin, stranger, add: () => place.addForm() }))
})

describe('in the back office', () => {
  test('an organization sees its own submissions only: in the list, the export, the search and the API', async () => {
    const toyota = await testOrganization(forecourt, 'Northgate Toyota')
    const form = await toyota.addForm()
    const id = await toyota.addSubmission(form)
    const sister = await forecourt.as('northgate.dealer')
    const { senderName } = await admin.call(submissions.get, { id })
    const text = senderName ?? ''
    expect(await found(text, sister)).toEqual([])
    expect((await sister.call(submissions.list, {})).totalRows).toBeLessThan(
      (await admin.call(submissions.list, {})).totalRows,
    )
    await expect(sister.call(submissions.get, { id })).toRefuse(404)
    await expect(sister.call(submissions.release, { id })).toRefuse(404)
    await expect(sister.call(submissions.remove, { id })).toRefuse(404)
    expect(JSON.stringify(await sister.call(search.find, { text }))).not.toContain(text)
    expect((await sister.call(forms.get, { id: form.id })).submissions).toBe(0)
    const file = await sister.send({
      method: 'POST',
      url: '/api/reports/submissions',
      payload: { format: 'csv' },
    })
    expect(file.text).not.toContain(text)
  })

  test('the draft changes nothing until it is published, and errors are named', async () => {
    const form = await place.addForm()
    const updated = await admin.call(forms.update, {
      id: form.id,
      draft: { languages: ['en'], sections: [] },
    })
    expect(updated).toMatchObject({ status: 'published', hasChanges: true, publishedNumber: 1 })
    expect((await visitor().open(addressOf(form))).text).toContain('Your name')
    await expect(admin.call(forms.publish, { id: form.id, version: updated.version })).toRefuse(400, 'errors')
    await expect(admin.call(forms.publish, { id: form.id, version: 1 })).toRefuse(409)
    const list = await admin.call(forms.versions, { id: form.id })
    expect(list).toMatchObject([{ number: 1, submissions: 0 }])
  })

  test('a consent with a changed text needs a new version', async () => {
    const form = await place.addForm()
    const reworded = (version: number): Definition => ({
      ...ASK,
      sections: ASK.sections.map((section) => ({
        ...section,
        questions: section.questions.map((question) =>
          question.type === 'consent' ? { ...question, version, text: en('Yes to everything.') } : question,
        ),
      })),
    })
    const silent = await admin.call(forms.update, { id: form.id, draft: reworded(1) })
    const refusal = await refusalOf(admin.call(forms.publish, { id: form.id, version: silent.version }))
    expect(refusal.refusal.fields?.['draft']).toContain('news changed')
    const { version } = await admin.call(forms.update, { id: form.id, draft: reworded(2) })
    expect(await admin.call(forms.publish, { id: form.id, version })).toMatchObject({ publishedNumber: 2 })
  })

  test('a draft is tried as the lot of the form would receive it', async () => {
    const triedLotId = await place.addLot()
    const tried = await admin.call(forms.tryOut, {
      draft: {
        languages: ['en'],
        sections: [
          {
            id: 'a',
            title: { en: 'A' },
            questions: [{ type: 'postalCode', code: 'zip', title: { en: 'ZIP' } }],
          },
        ],
      },
      answers: { zip: 'ABC' },
      language: 'en',
      lotId: triedLotId,
    })
    expect(tried.seller).toEqual({ name: 'Northgate Ford', country: 'US' })
    expect(tried.evaluation.problems).toMatchObject([{ question: 'zip', code: 'postalCode' }])
  })

  test('publishing without changes adds no version', async () => {
    const form = await place.addForm()
    await admin.call(forms.close, { id: form.id })
    const { version } = await admin.call(forms.get, { id: form.id })
    expect(await admin.call(forms.publish, { id: form.id, version })).toMatchObject({
      status: 'published',
      publishedNumber: 1,
    })
    expect(await admin.call(forms.versions, { id: form.id })).toHaveLength(1)
  })

  test('a name, an address and half an automatic reply are checked', async () => {
    const form = await admin.call(forms.get, { id: (await place.addForm()).id })
    const other = await place.addForm()
    await expect(admin.call(forms.update, { id: other.id, name: form.name.toUpperCase() })).toRefuse(
      409,
      'name',
    )
    await expect(admin.call(forms.update, { id: other.id, key: form.key })).toRefuse(409, 'address')
    await expect(admin.call(forms.update, { id: other.id, replyText: 'Hello' })).toRefuse(400)
    await expect(admin.call(forms.update, { id: other.id, lotId: '999999999' })).toRefuse(400)
    await expect(admin.call(forms.update, { id: other.id, key: 'Not OK' })).toRefuse(400)
  })

  test('a form with submissions is closed instead of deleted', async () => {
    const form = await place.addForm()
    const id = await place.addSubmission(form)
    await expect(admin.call(forms.remove, { id: form.id })).toRefuse(409, 'Close it')
    await admin.call(submissions.remove, { id })
    await admin.call(forms.remove, { id: form.id })
    await expect(admin.call(forms.get, { id: form.id })).toRefuse(404)
  })

  test('users of one organization manage the forms of its lots, and only those', async () => {
    const dealer = await forecourt.as('northgate.dealer')
    const own = await place.addForm()
    expect(await dealer.call(forms.update, { id: own.id, thankYouTitle: 'Thanks!' })).toMatchObject({
      thankYouTitle: 'Thanks!',
    })
    const toyota = await testOrganization(forecourt, 'Northgate Toyota')
    const foreign = await toyota.addForm()
    const shared = await place.addForm({ lotId: null })
    for (const { id, version } of [foreign, shared]) {
      await expect(dealer.call(forms.update, { id, thankYouTitle: 'Mine' })).toRefuse(403)
      await expect(dealer.call(forms.publish, { id, version })).toRefuse(403)
      await expect(dealer.call(forms.remove, { id })).toRefuse(403)
    }
    await expect(dealer.call(forms.update, { id: own.id, lotId: null })).toRefuse(403)
    const { lotId: theirs } = await admin.call(forms.get, { id: foreign.id })
    await expect(dealer.call(forms.update, { id: own.id, lotId: theirs })).toRefuse(400)
  })

  test('a vehicle page has the form of its organization, or the one for all', async () => {
    const toyota = await testOrganization(forecourt, 'Northgate Toyota')
    const photos = [{ kind: 'address' as const, place: 'https://photos.example/1.jpg', alt: '' }]
    const vehicle = { status: 'live' as const, year: 2022, model: 'Form', priceCents: 100_000, photos }
    const ids = [await place.addVehicle(vehicle), await toyota.addVehicle(vehicle)]
    for (const { id, isOnVehiclePages } of (await admin.call(forms.list, { pageSize: 200 })).results ?? []) {
      if (isOnVehiclePages) await admin.call(forms.update, { id, isOnVehiclePages: false })
    }
    const shared = await place.addForm({ lotId: null, isOnVehiclePages: true })
    const own = await toyota.addForm({ isOnVehiclePages: true })
    const keys = await Promise.all(
      ids.map(
        async (id) =>
          /action="\/f\/([a-z0-9-]+)#ask"/.exec((await visitor().open(`/v/2022-ford-form-${id}`)).text)?.[1],
      ),
    )
    expect(keys).toEqual([shared.key, own.key])
  })

  test('counts of a form are those of its reader', async () => {
    const form = await place.addForm({ lotId })
    await place.addSubmission(form)
    await place.addSubmission(form, { isBot: true })
    expect((await admin.call(forms.get, { id: form.id })).submissions).toBe(1)
  })
})
