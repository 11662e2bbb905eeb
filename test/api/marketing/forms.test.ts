import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { type Form, forms } from '#contract/marketing/forms/forms.ts'
import { submissions } from '#contract/marketing/forms/submissions.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { vehicles } from '#contract/inventory/vehicles/vehicles.ts'
import { FIELD_NAMES } from '#contract/marketing/forms/form-body.ts'
import { search } from '#contract/home/search.ts'
import { clock } from '#server/clock.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { ASK } from '#test/factories/marketing/add-marketing.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

const HOST = 'northgate.localhost'
let forecourt: TestApp
let admin: Caller
let place: TestOrganization
let lotId: string

beforeAll(async () => {
  forecourt = await testApp({ FORECOURT_DEMO: '1' })
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  place = await testOrganization(forecourt, 'Northgate Ford')
  await forecourt.owner.query('delete from pricing_rules')
  lotId = await place.addLot()
  await place.call(lots.update, { id: lotId, phone: '+1 916 555 0100' })
})
afterAll(() => forecourt.close())

const en = (text: string) => ({ en: text })
const addressOf = (form: Pick<Form, 'key'>) => `/f/${form.key}`
let visitors = 0

type Answers = Record<string, string>

/** A visitor with an address of their own, who opens a form, fills it in for ten seconds and sends it. */
function visitor(host = HOST) {
  const ip = `10.1.${Math.floor(++visitors / 250)}.${(visitors % 250) + 1}`
  const request = (method: 'GET' | 'POST', url: string, payload?: string) =>
    forecourt.app.inject({
      method,
      url,
      remoteAddress: ip,
      headers: {
        host,
        ...(payload !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(payload !== undefined && { payload }),
    })
  const hiddenOf = (page: string): Answers =>
    Object.fromEntries(
      [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    )
  // Line breaks in the text are spaces: the formatter moves them.
  const read = (page: { statusCode: number; body: string }) => {
    const text = page.body.replaceAll(/\s+/g, ' ')
    return { status: page.statusCode, text, hidden: hiddenOf(text) }
  }
  return {
    open: async (url: string) => {
      const page = await request('GET', url)
      return read(page)
    },
    send: async (url: string, hidden: Answers, answers: Answers, seconds = 10) => {
      clock.advance(seconds * 1_000)
      const named = Object.entries(answers)
      const page = await request(
        'POST',
        url,
        new URLSearchParams([...Object.entries(hidden), ...named]).toString(),
      )
      return { ...read(page), location: page.headers.location }
    },
  }
}

const found = async (text: string, caller: Caller = admin) => {
  const { results } = await caller.call(submissions.list, { search: text })
  return results ?? []
}

test('a visitor without a script asks about a vehicle, and the dealer sees it with what the page showed', async () => {
  const form = await place.addForm({ isOnVehiclePages: true, lotId })
  const vehicleId = await place.addVehicle({
    lotId,
    status: 'live',
    year: 2022,
    make: 'Kia',
    model: 'Niro',
    priceCents: 2_500_000,
    photos: [{ kind: 'address', place: 'https://photos.example/1.jpg', alt: '' }],
  })
  const { open, send } = visitor()
  const page = await open(`/v/2022-kia-niro-${vehicleId}?utm_source=newsletter&other=1`)
  expect(page.status).toBe(200)
  expect(page.text).toContain('Northgate Ford may send me offers by email.')
  const name = fresh('Ann')
  const sent = await send(addressOf(form), page.hidden, {
    name,
    email: 'Ann@Mail.Example',
    phone: '(916) 555-0199',
    message: 'Is it free?\r\nThanks',
    news: '1',
  })
  expect([sent.status, sent.location]).toEqual([
    303,
    `/f/${form.key}/thanks?back=%2Fv%2F2022-kia-niro-${vehicleId}`,
  ])
  const thanks = await open(sent.location ?? '')
  expect(thanks.text).toContain('We will answer soon.')
  expect(thanks.text).toContain('Back to the vehicle')
  const [listed] = await found(name)
  expect(listed).toMatchObject({
    state: 'received',
    suspicions: [],
    formName: expect.any(String),
    lotId,
    vehicleId,
    senderName: name,
    senderEmail: 'Ann@mail.example',
    senderPhone: '+19165550199',
    comments: 'Is it free?\nThanks',
  })
  expect(listed?.vehicleTitle).toMatch(/^2022 Kia Niro, Stock/)
  expect(page.text).toContain('<strong>$25,118</strong>')
  expect(listed?.vehiclePriceCents).toBe(2_511_800)
  const record = await admin.call(submissions.get, { id: listed?.id ?? '' })
  expect(record.consents).toEqual([
    {
      question: 'news',
      isGiven: true,
      version: 1,
      language: 'en',
      text: 'Northgate Ford may send me offers by email.',
      seller: 'Northgate Ford',
      purpose: 'marketing',
      channels: ['email'],
    },
  ])
  expect(record.campaign).toEqual({ utm_source: 'newsletter' })
  expect(record.pageUrl).toMatch(/^http:\/\/northgate\.localhost(:\d+)?\/v\/2022-kia-niro-\d+$/)
})

describe('what goes wrong', () => {
  test('keeps what was typed and says what to change', async () => {
    const form = await place.addForm()
    const { open, send } = visitor()
    const { hidden } = await open(addressOf(form))
    const typed = {
      name: '<script>alert(1)</script>',
      email: 'not an address',
      message: 'Long "text" & more',
    }
    const answer = await send(addressOf(form), hidden, typed)
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('Please check one answer')
    expect(answer.text).toContain('href="#f-email"')
    expect(answer.text).toContain('value="not an address"')
    expect(answer.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(answer.text).not.toContain('<script>alert')
    expect(answer.text).toContain('Long &quot;text&quot; &amp; more')
    const right = await send(addressOf(form), answer.hidden, { ...typed, email: 'ok@mail.example' })
    expect(right.status).toBe(303)
  })

  test('is one submission when it is sent twice, also at the same moment', async () => {
    const form = await place.addForm()
    const { open, send } = visitor()
    const { hidden } = await open(addressOf(form))
    const answers = { name: fresh('Twice'), email: 'a@mail.example' }
    const both = await Promise.all([
      send(addressOf(form), hidden, answers),
      send(addressOf(form), hidden, answers, 0),
    ])
    expect(both.map(({ status }) => status)).toEqual([303, 303])
    expect((await send(addressOf(form), hidden, answers)).status).toBe(303)
    expect(await found(answers.name)).toHaveLength(1)
  })

  test('is a second submission when the answers differ, so that a correction is not lost', async () => {
    const form = await place.addForm()
    const { open, send } = visitor()
    const { hidden } = await open(addressOf(form))
    const name = fresh('Again')
    await send(addressOf(form), hidden, { name, email: 'a@mail.example' })
    const corrected = { name, email: 'b@mail.example' }
    await send(addressOf(form), hidden, corrected)
    await send(addressOf(form), hidden, corrected)
    expect(new Set((await found(name)).map((one) => one.senderEmail))).toEqual(
      new Set(['a@mail.example', 'b@mail.example']),
    )
  })

  test('refuses what the form does not offer', async () => {
    const draft: Definition = {
      languages: ['en'],
      sections: [
        {
          id: 'a',
          title: en('Ask'),
          questions: [
            { type: 'email', code: 'email', title: en('Email'), obligation: 'required' },
            {
              type: 'single',
              code: 'color',
              title: en('Color'),
              choices: [{ value: 'red', title: en('Red') }],
            },
            { type: 'text', code: 'detail', title: en('Detail'), visibleIf: 'color == "red"' },
            { type: 'computed', code: 'sum', title: en('Sum'), calculate: '1 + 1', result: 'number' },
          ],
        },
      ],
    }
    const form = await place.addForm({ draft, leadFields: { email: 'email' } })
    const { open, send } = visitor()
    const { hidden } = await open(addressOf(form))
    const email = `${fresh('tamper').replaceAll(' ', '')}@mail.example`
    const answer = await send(addressOf(form), hidden, { email, color: 'green' })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('Choose one of the options.')
    // An answer to a question that isn't asked, a changed result and an unknown field have no effect.
    expect(
      (await send(addressOf(form), hidden, { email, detail: 'hidden', sum: '5', unknown: 'x' })).status,
    ).toBe(303)
    const [listed] = await found(email)
    const record = await admin.call(submissions.get, { id: listed?.id ?? '' })
    expect(record.answers).toEqual({ email })
    expect(record.computed).toEqual({ sum: '2' })
  })

  test('a version that was replaced while the page was open is still accepted, as its visitor saw it', async () => {
    const form = await place.addForm()
    const { open, send } = visitor()
    const { hidden } = await open(addressOf(form))
    const [section] = ASK.sections
    if (section === undefined) throw new Error('The form has a section.')
    const draft = {
      ...ASK,
      sections: [
        {
          ...section,
          questions: [
            ...section.questions,
            { type: 'text' as const, code: 'extra', title: en('Extra'), obligation: 'required' as const },
          ],
        },
      ],
    }
    const changed = await admin.call(forms.update, { id: form.id, draft })
    await admin.call(forms.publish, { id: form.id, version: changed.version })
    const name = fresh('Former')
    expect((await send(addressOf(form), hidden, { name, email: 'a@mail.example' })).status).toBe(303)
    expect(await found(name)).toMatchObject([{ formNumber: 1 }])
    expect((await open(addressOf(form))).text).toContain('Extra')
  })

  test('a closed form says so, with the phone number and what was typed', async () => {
    const form = await place.addForm({ lotId })
    const { open, send } = visitor()
    const { hidden } = await open(addressOf(form))
    await admin.call(forms.close, { id: form.id })
    const answer = await send(addressOf(form), hidden, {
      name: 'Ann',
      email: 'a@mail.example',
      message: 'Please keep <this>',
    })
    expect(answer.status).toBe(410)
    expect(answer.text).toContain('+1 916 555 0100')
    expect(answer.text).toContain('Please keep &lt;this&gt;')
    expect((await open(addressOf(form))).status).toBe(410)
  })

  test('too much text, another content type and an unknown form get a page', async () => {
    const form = await place.addForm()
    const { open, send } = visitor()
    const { hidden } = await open(addressOf(form))
    expect((await send(addressOf(form), hidden, { message: 'x'.repeat(300_000) })).status).toBe(413)
    const json = await forecourt.anonymous.send({
      method: 'POST',
      url: addressOf(form),
      payload: {},
      headers: { host: HOST },
    })
    expect([json.status, json.headers['content-type']]).toEqual([415, 'text/html; charset=utf-8'])
    expect((await send('/f/none', hidden, { name: 'a' })).status).toBe(404)
    expect((await open('/f/%00')).status).toBe(404)
  })

  test('a form of another customer does not exist on this site', async () => {
    const form = await place.addForm()
    expect((await visitor('harbor.localhost').open(addressOf(form))).status).toBe(404)
    const { hidden } = await visitor().open(addressOf(form))
    expect(
      (
        await visitor('harbor.localhost').send(addressOf(form), hidden, {
          name: 'a',
          email: 'a@mail.example',
        })
      ).status,
    ).toBe(404)
  })

  test('a vehicle that is not public is not named', async () => {
    const form = await place.addForm({ lotId })
    const secret = await place.addVehicle({ lotId, status: 'preparing', model: 'Secret' })
    const { open } = visitor()
    expect((await open(`${addressOf(form)}?vehicle=${secret}`)).text).not.toContain('Secret')
    await place.call(vehicles.update, { id: secret, status: 'live' })
  })
})

test('a test is marked as one and counted nowhere', async () => {
  const form = await place.addForm()
  const { open, send } = visitor()
  const { hidden, text } = await open(`${addressOf(form)}?test=1`)
  expect(text).toContain('This is a test.')
  const name = fresh('Tester')
  const wrong = await send(addressOf(form), hidden, { name, email: '' })
  expect(wrong.text).toContain('This is a test.')
  expect((await send(addressOf(form), wrong.hidden, { name, email: 'a@mail.example' })).status).toBe(303)
  expect(await found(name)).toMatchObject([{ isTest: true }])
  expect((await admin.call(forms.get, { id: form.id })).submissions).toBe(0)
})

describe('spam', () => {
  const sendAs = async (more: { seconds?: number; answers?: Answers; hidden?: Answers }) => {
    const form = await place.addForm()
    const { open, send } = visitor()
    const { hidden } = await open(addressOf(form))
    const name = fresh('Spam')
    const answers = { name, email: 'bot@mail.example', ...more.answers }
    expect((await send(addressOf(form), { ...hidden, ...more.hidden }, answers, more.seconds)).status).toBe(
      303,
    )
    const [listed] = await found(name)
    return listed
  }

  test('is kept in quarantine with the reason, and the sender is not told', async () => {
    expect(await sendAs({ hidden: { [FIELD_NAMES.trap]: 'http://spam.example' } })).toMatchObject({
      state: 'quarantined',
      suspicions: ['trap'],
    })
    expect(await sendAs({ seconds: 1 })).toMatchObject({ state: 'quarantined', suspicions: ['fast'] })
    expect(await sendAs({ hidden: { [FIELD_NAMES.token]: '1.abc.0123456789abcdef.forged' } })).toMatchObject({
      suspicions: ['noPage'],
    })
    expect(await sendAs({ answers: { message: 'https://a.example https://b.example' } })).toMatchObject({
      suspicions: ['links'],
    })
  })

  test('one network sends at most 20 forms an hour without suspicion', async () => {
    const form = await place.addForm()
    const { open, send } = visitor()
    const name = fresh('Rate')
    for (let at = 0; at < 21; at += 1) {
      const { hidden } = await open(addressOf(form))
      await send(addressOf(form), hidden, { name: `${name} ${at}`, email: 'a@mail.example' }, 3)
    }
    const all = await found(name)
    expect(all).toHaveLength(21)
    expect(all.filter(({ state }) => state === 'quarantined')).toMatchObject([{ suspicions: ['rate'] }])
  })

  test('can be released once', async () => {
    const spam = await sendAs({ seconds: 0 })
    const id = spam?.id ?? ''
    expect((await admin.call(submissions.release, { id })).state).toBe('received')
    await expect(admin.call(submissions.release, { id })).toRefuse(409)
  })
})

describe('a form with steps', () => {
  const STEPS: Definition = {
    languages: ['en'],
    sections: [
      {
        id: 'you',
        title: en('You'),
        questions: [
          { type: 'text', code: 'name', title: en('Name'), obligation: 'required' },
          { type: 'email', code: 'email', title: en('Email'), obligation: 'required' },
          { type: 'boolean', code: 'trade', title: en('Do you have a trade-in?') },
        ],
      },
      {
        id: 'car',
        title: en('Your car'),
        visibleIf: 'trade',
        questions: [{ type: 'text', code: 'model', title: en('Model'), obligation: 'required' }],
      },
      {
        id: 'end',
        title: en('More'),
        questions: [{ type: 'longText', code: 'message', title: en('Message') }],
      },
    ],
  }
  const add = () =>
    place.addForm({ draft: STEPS, leadFields: { fullName: 'name', email: 'email', comments: 'message' } })

  test('stores each step when its button is pressed, and says that it is unfinished', async () => {
    const form = await add()
    const { open, send } = visitor()
    const first = await open(addressOf(form))
    expect(first.text).toContain('Step 1 of 2')
    const name = fresh('Steps')
    const second = await send(addressOf(form), first.hidden, { name, email: 'a@mail.example', trade: 'true' })
    expect(second.status).toBe(200)
    expect(second.text).toContain('Step 2 of 3')
    expect(await found(name)).toMatchObject([{ state: 'unfinished' }])
    const wrong = await send(addressOf(form), second.hidden, { model: '' })
    expect(wrong.status).toBe(422)
    const third = await send(addressOf(form), wrong.hidden, { model: 'Fiesta' })
    const done = await send(addressOf(form), third.hidden, { message: 'Call me' })
    expect(done.status).toBe(303)
    const [listed, ...others] = await found(name)
    expect(others).toEqual([])
    expect(listed).toMatchObject({ state: 'received', comments: 'Call me' })
    const { answers } = await admin.call(submissions.get, { id: listed?.id ?? '' })
    expect(answers).toEqual({
      name,
      email: 'a@mail.example',
      trade: true,
      model: 'Fiesta',
      message: 'Call me',
    })
  })

  test('goes back to a step that was skipped, and loses nothing', async () => {
    const form = await add()
    const { open, send } = visitor()
    const { hidden } = await open(addressOf(form))
    const answer = await send(
      addressOf(form),
      { ...hidden, [FIELD_NAMES.step]: 'end' },
      { message: 'Skipped ahead' },
    )
    expect(answer.status).toBe(422)
    expect(answer.hidden[FIELD_NAMES.step]).toBe('you')
  })
})

describe('the automatic reply', () => {
  const reply = {
    replySubject: 'We have your question, {name}',
    replyText: 'Hello {name},\n\nthank you for asking about the {vehicle}.',
  }
  const mailsTo = async (address: string) => {
    const { rows } = await forecourt.owner.query<{ subject: string }>(
      'select subject from outbox_mails where to_email = $1',
      [address],
    )
    return rows.map(({ subject }) => subject)
  }

  test('goes to the sender once, and never to one in quarantine', async () => {
    const form = await place.addForm(reply)
    const { open, send } = visitor()
    const { hidden } = await open(addressOf(form))
    const answers = { name: 'Ann', email: 'reply@mail.example' }
    await send(addressOf(form), hidden, answers)
    await send(addressOf(form), hidden, answers)
    expect(await mailsTo('reply@mail.example')).toEqual(['We have your question, Ann'])
    const next = await open(addressOf(form))
    await send(addressOf(form), next.hidden, { name: 'Bot', email: 'bot@mail.example' }, 0)
    expect(await mailsTo('bot@mail.example')).toEqual([])
  })
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
