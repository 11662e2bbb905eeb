import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { type Form, forms } from '#contract/marketing/forms/forms.ts'
import { submissions } from '#contract/marketing/forms/submissions.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { search } from '#contract/home/search.ts'
import { FIELD_NAMES } from '#contract/marketing/forms/form-body.ts'
import { clock } from '#server/clock.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { ASK } from '#test/factories/marketing/add-marketing.ts'
import { type Answers, visitorOf } from '#test/factories/marketing/visitor.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
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
const HOUR = 3_600_000
const mail = (name: string) => `${name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}@mail.example`
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

describe('a test of a form', () => {
  /** Lets time pass: the session ends meanwhile. */
  const pass = async (milliseconds: number): Promise<void> => {
    clock.advance(milliseconds)
    admin = await forecourt.as('northgate.admin', 'Northgate Ford')
    place = await testOrganization(forecourt, 'Northgate Ford')
  }
  const openWith = async (form: Pick<Form, 'key'>, mark: string) => {
    const from = visitor()
    const page = await from.open(`${addressOf(form)}?test=${mark}`)
    return { page, send: (answers: Answers) => from.send(addressOf(form), page.hidden, answers) }
  }
  const markOf = async ({ id }: Pick<Form, 'id'>) => {
    const { path, endsAt } = await admin.call(forms.testLink, { id })
    return { path, mark: path.split('?test=')[1] ?? '', endsAt }
  }

  test('has a signed link, is marked as one, and is counted nowhere', async () => {
    const form = await place.addForm()
    const { path, mark, endsAt } = await markOf(form)
    expect(path).toBe(`/f/${form.key}?test=${mark}`)
    expect(Math.abs(Date.parse(endsAt) - clock.now() - HOUR)).toBeLessThan(60_000)
    const { page, send } = await openWith(form, mark)
    expect(page.text).toContain('This is a test.')
    const name = fresh('Tester')
    const wrong = await send({ name, email: '' })
    expect(wrong.text).toContain('This is a test.')
    // Someone reads for longer than the link works.
    await pass(2 * HOUR)
    expect((await visitor().send(addressOf(form), wrong.hidden, { name, email: mail(name) })).status).toBe(
      303,
    )
    expect(await found(name)).toMatchObject([{ isTest: true }])
    expect((await admin.call(forms.get, { id: form.id })).submissions).toBe(0)
  })

  test('is nothing that a stranger can make of a lead', async () => {
    const [form, other] = [await place.addForm(), await place.addForm()]
    const foreign = await markOf(other)
    const expired = await markOf(form)
    await pass(HOUR + 1_000)
    for (const [text, mark, hasNotice] of [
      ['Unsigned', '1', false],
      ['Of another form', foreign.mark, false],
      ['Longer', expired.mark.replace(/^\w+/, (clock.now() + 24 * HOUR).toString(36)), false],
      ['Expired', expired.mark, true],
    ] as const) {
      const { page, send } = await openWith(form, mark)
      expect(page.text).not.toContain('This is a test.')
      expect([text, page.text.includes('The time of this test link is over.')]).toEqual([text, hasNotice])
      const name = fresh(text)
      expect((await send({ name, email: mail(name), [FIELD_NAMES.test]: '1' })).status).toBe(303)
      expect([text, await found(name)]).toMatchObject([text, [{ isTest: false, state: 'received' }]])
    }
    await expect(admin.call(forms.testLink, { id: '999999' })).toRefuse(404)
  })
})

test('only the path and campaign parameters of the pages before a form are kept', async () => {
  const form = await place.addForm({ embedOrigins: ['https://www.dealer.example'] })
  const { open, send } = visitor()
  const around = 'https://user:pass@www.dealer.example/offers?token=secret&utm_source=blog#access=secret'
  const page = await open(`/embed/${form.key}?${FIELD_NAMES.page}=${encodeURIComponent(around)}`)
  const name = fresh('Pages')
  const hidden = {
    ...page.hidden,
    [FIELD_NAMES.page]: around,
    [FIELD_NAMES.referrer]: 'https://mail.example/read?session=secret&gclid=g',
  }
  await send(addressOf(form), hidden, { name, email: mail(name) })
  const [one] = await found(name)
  expect(await admin.call(submissions.get, { id: one?.id ?? '' })).toMatchObject({
    pageUrl: 'https://www.dealer.example/offers?utm_source=blog',
    referrer: 'https://mail.example/read?gclid=g',
  })
  expect(JSON.stringify(page.hidden)).not.toContain('secret')
})
