import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { type Form, forms } from '#contract/marketing/forms/forms.ts'
import { submissions } from '#contract/marketing/forms/submissions.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { FIELD_NAMES } from '#contract/marketing/forms/form-body.ts'
import { clock } from '#server/clock.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { ASK } from '#test/factories/marketing/add-marketing.ts'
import { type Answers, visitorOf } from '#test/factories/marketing/visitor.ts'
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
/** A visitor of Northgate's site. */
const visitor = (host = HOST) => visitorOf(forecourt, host)

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

  test('a form whose organizations are archived says that it is closed, too, with what was typed', async () => {
    const form = await place.addForm({ lotId })
    const { open, send } = visitor()
    const { hidden } = await open(addressOf(form))
    const setArchived = (isArchived: boolean) =>
      forecourt.owner.query('update lots set is_archived = $2 where customer_id = $1', [
        place.customerId,
        isArchived,
      ])
    await setArchived(true)
    const answer = await send(addressOf(form), hidden, {
      name: 'Ann',
      email: 'a@mail.example',
      message: 'Please keep <this>',
    })
    const page = await open(addressOf(form))
    await setArchived(false)
    expect([answer.status, page.status]).toEqual([410, 410])
    expect(answer.text).toContain('Please keep &lt;this&gt;')
    expect(answer.text).not.toContain('+1 916 555 0100')
  })

  test('too much text, another content type and an unknown form get a page', async () => {
    const form = await place.addForm()
    const { open, send } = visitor()
    const { hidden } = await open(addressOf(form))
    expect((await send(addressOf(form), hidden, { message: 'x'.repeat(300_000) })).status).toBe(413)
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`f${at}`, '']))
    expect((await send(addressOf(form), hidden, many)).status).toBe(413)
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

  test('a vehicle that is taken off the site while someone writes stays in what they asked, as they saw it', async () => {
    await place.addForm({ isOnVehiclePages: true, lotId })
    const vehicleId = await place.addVehicle({
      lotId,
      status: 'live',
      year: 2023,
      make: 'Kia',
      model: 'Soul',
      condition: 'used',
      priceCents: 2_000_000,
      photos: [{ kind: 'address', place: 'https://photos.example/1.jpg', alt: '' }],
    })
    const { open, send } = visitor()
    const page = await open(`/v/2023-kia-soul-${vehicleId}`)
    // The page shows one of the forms of the lot.
    const address = /action="(\/f\/[^"?]+)/.exec(page.text)?.[1] ?? ''
    await forecourt.prices.workDue()
    await admin.call(vehicles.update, {
      id: vehicleId,
      status: 'hold',
      statusReason: 'Recall',
      priceCents: 1_900_000,
    })
    await forecourt.prices.workDue()
    clock.advance(4_000)
    const name = fresh('Held')
    await send(address, page.hidden, { name, email: 'held@mail.example' })
    const [listed] = await found(name)
    expect(listed).toMatchObject({ vehicleId, vehiclePriceCents: 2_011_800 })
    const { results } = await admin.call(leads.list, { search: name })
    expect(results?.[0]).toMatchObject({ vehicleId, type: 'used' })
    // A page that was opened afterwards doesn't name it.
    const late = await open(address)
    const other = fresh('Late')
    await send(
      address,
      { ...late.hidden, [FIELD_NAMES.vehicle]: vehicleId },
      { name: other, email: 'late@mail.example' },
    )
    expect((await found(other))[0]).toMatchObject({ vehicleId: null })
  })

  test('a thank-you page leads only to vehicles of the site', async () => {
    const { open } = visitor()
    const thanks = `${addressOf(await place.addForm())}/thanks?back=`
    expect((await open(`${thanks}/v/kia-7`)).text).toContain('href="/v/kia-7"')
    for (const back of [
      '//evil.example',
      'https://evil.example/v/a',
      'javascript:alert(1)',
      '/v/../../evil',
      '/v//evil.example',
      '/v/a%0d%0aLocation:%20//evil.example',
      '/v/"onclick="alert(1)',
      '\\\\evil.example',
    ]) {
      const { text, status } = await open(`${thanks}${encodeURI(back)}`)
      expect([back, status, text.includes('evil'), text.includes('alert')]).toEqual([back, 200, false, false])
      expect(text).toContain('href="/vehicles">See all vehicles')
    }
  })

  test('an address in the address of a form arrives whole', async () => {
    const draft: Definition = {
      ...ASK,
      sections: ASK.sections.map((section) => ({
        ...section,
        questions: [
          ...section.questions,
          { type: 'url', code: 'seen', title: en('Seen at'), prefill: 'seen' } as const,
        ],
      })),
    }
    const form = await place.addForm({ draft })
    const { text } = await visitor().open(`${addressOf(form)}?seen=https://cars.example/list?id=7`)
    expect(text).toContain('value="https://cars.example/list?id=7"')
  })

  test('a vehicle that is not public is not named', async () => {
    const form = await place.addForm({ lotId })
    const secret = await place.addVehicle({ lotId, status: 'preparing', model: 'Secret' })
    const { open } = visitor()
    expect((await open(`${addressOf(form)}?vehicle=${secret}`)).text).not.toContain('Secret')
    await place.call(vehicles.update, { id: secret, status: 'live' })
  })
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

  test('can be released once', async () => {
    const spam = await sendAs({ seconds: 0 })
    const id = spam?.id ?? ''
    expect((await admin.call(submissions.release, { id })).state).toBe('received')
    await expect(admin.call(submissions.release, { id })).toRefuse(409)
  })
})

describe('a form on another site', () => {
  const DEALER = 'https://www.dealer.example'
  const policyOf = async (url: string) => {
    const page = await forecourt.app.inject({ method: 'GET', url, headers: { host: HOST } })
    const { headers } = page
    return [headers['content-security-policy'], headers['x-frame-options']].join(' | ')
  }

  test('can be shown only by the sites of the form, and only on its own address', async () => {
    const form = await place.addForm({
      embedOrigins: [`${DEALER}/contact`, DEALER, 'https://Blog.Dealer.Example:8443'],
    })
    expect((await admin.call(forms.get, { id: form.id })).embedOrigins).toEqual([
      DEALER,
      'https://blog.dealer.example:8443',
    ])
    const framed = await policyOf(`/embed/${form.key}`)
    expect(framed).toContain(`frame-ancestors ${DEALER} https://blog.dealer.example:8443`)
    expect(framed).not.toContain('DENY')
    expect(framed).toContain("default-src 'none'")
    expect(await policyOf(`/f/${form.key}`)).toMatch(/frame-ancestors 'none'.*DENY/)
    const script = await forecourt.app.inject({ method: 'GET', url: '/embed.js', headers: { host: HOST } })
    expect([script.statusCode, script.headers['cross-origin-resource-policy']]).toEqual([200, 'cross-origin'])
    const closed = await place.addForm()
    expect((await visitor().open(`/embed/${closed.key}`)).status).toBe(404)
  })

  test.each([
    'http://dealer.example',
    'javascript:alert(1)',
    "https://a.example 'unsafe-inline'",
    'dealer.example',
    'https://a',
  ])('refuses %s as a site', async (origin) => {
    await expect(place.addForm({ embedOrigins: [origin] })).rejects.toThrow(/Enter each site as an address/)
  })

  test('keeps its frame through mistakes and to the thank-you page', async () => {
    const form = await place.addForm({ embedOrigins: [DEALER] })
    const { open, send } = visitor()
    const page = await open(`/embed/${form.key}?utm_source=blog&${FIELD_NAMES.page}=${DEALER}%2Foffers`)
    expect(page.text).not.toContain('See all vehicles')
    expect(page.text).not.toContain('<header')
    const name = fresh('Framed')
    const wrong = await send(addressOf(form), page.hidden, { name, email: '' })
    expect(wrong.status).toBe(422)
    expect(wrong.text).not.toContain('<header')
    const sent = await send(addressOf(form), wrong.hidden, { name, email: 'a@mail.example' })
    expect([sent.status, sent.location]).toEqual([303, `/embed/${form.key}/thanks`])
    expect((await open(sent.location ?? '')).text).toContain('We will answer soon.')
    const [listed] = await found(name)
    const record = await admin.call(submissions.get, { id: listed?.id ?? '' })
    expect([record.pageUrl, record.campaign]).toEqual([`${DEALER}/offers`, { utm_source: 'blog' }])
    // A sender who adds the field by hand gets no more than an ordinary page.
    const own = await place.addForm()
    const plain = await open(addressOf(own))
    const answer = await send(
      addressOf(own),
      { ...plain.hidden, [FIELD_NAMES.frame]: '1' },
      { name: 'x', email: '' },
    )
    expect(answer.text).toContain('<header')
  })
})

test('a mistyped email address is one mistake where one of email and phone is enough', async () => {
  const draft: Definition = {
    languages: ['en'],
    sections: [
      {
        id: 'a',
        title: en('Ask'),
        questions: [
          { type: 'email', code: 'email', title: en('Email'), requiredIf: 'phone == null' },
          { type: 'phone', code: 'phone', title: en('Phone'), requiredIf: 'email == null' },
        ],
      },
    ],
  }
  const form = await place.addForm({ draft, leadFields: { email: 'email', phone: 'phone' } })
  const { open, send } = visitor()
  const { hidden } = await open(addressOf(form))
  const wrong = await send(addressOf(form), hidden, { email: 'not an address', phone: '' })
  expect(wrong.text).toContain('Please check one answer')
  const empty = await send(addressOf(form), wrong.hidden, { email: '', phone: '' })
  expect(empty.text).toContain('Please check 2 answers')
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
    const text = 'select subject, to_name as "toName" from outbox_mails where to_email = $1'
    return (await forecourt.owner.query<{ subject: string; toName: string }>(text, [address])).rows
  }

  test('goes to the sender once, never to one in quarantine, and carries no text to others as a name', async () => {
    const form = await place.addForm(reply)
    const { open, send } = visitor()
    const { hidden } = await open(addressOf(form))
    const answers = { name: 'Ann', email: 'reply@mail.example' }
    await send(addressOf(form), hidden, answers)
    await send(addressOf(form), hidden, answers)
    expect(await mailsTo('reply@mail.example')).toEqual([
      { subject: 'We have your question, Ann', toName: 'Ann' },
    ])
    const bot = { name: 'Bot', email: 'bot@mail.example' }
    await send(addressOf(form), (await open(addressOf(form))).hidden, bot, 0)
    expect(await mailsTo('bot@mail.example')).toEqual([])
    const victim = { name: 'You won, see www.evil.example', email: 'victim@mail.example' }
    await send(addressOf(form), (await open(addressOf(form))).hidden, victim)
    expect(await mailsTo('victim@mail.example')).toEqual([
      { subject: 'We have your question,', toName: 'victim@mail.example' },
    ])
  })
})
