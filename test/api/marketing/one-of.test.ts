// @module-tag release
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { submissions } from '#contract/marketing/forms/submissions.ts'
import type { Definition, Question } from '#contract/questions/definition.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { type Answers, visitorOf } from '#test/factories/marketing/visitor.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

const HOST = 'northgate.localhost'
let forecourt: TestApp
let admin: Caller
let place: TestOrganization

beforeAll(async () => {
  forecourt = await testApp({ FORECOURT_DEMO: '1' })
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  place = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

const text = (english: string, spanish = english) => ({ en: english, es: spanish })
const NAME: Question = { type: 'text', code: 'name', title: text('Name', 'Nombre'), obligation: 'required' }
const EMAIL: Question = { type: 'email', code: 'email', title: text('Email', 'Correo'), oneOf: 'contact' }
const PHONE: Question = { type: 'phone', code: 'phone', title: text('Phone', 'Teléfono'), oneOf: 'contact' }
const FREE_EMAIL: Question = { type: 'email', code: 'email', title: text('Email') }
const FREE_PHONE: Question = { type: 'phone', code: 'phone', title: text('Phone') }
const CALL: Question = { type: 'boolean', code: 'call', title: text('Call me?', '¿Le llamamos?') }

async function openForm(sections: readonly (readonly Question[])[], languages = ['en']) {
  const draft: Definition = {
    languages,
    sections: sections.map((questions, at) => ({
      id: `s${at}`,
      title: text(`Step ${at}`),
      questions: [...questions],
    })),
  }
  const form = await place.addForm({
    draft,
    leadFields: {
      fullName: 'name',
      email: 'email',
      ...(sections.flat().some(({ code }) => code === 'phone') && { phone: 'phone' }),
    },
  })
  const { open, send } = visitorOf(forecourt, HOST)
  const url = `/f/${form.key}`
  return {
    open: (query = '') => open(`${url}${query}`),
    send: (hidden: Answers, answers: Answers) => send(url, hidden, answers),
  }
}

async function stored(name: string) {
  const { results } = await admin.call(submissions.list, { search: name })
  return results
}
const spaced = (html: string) => html.replaceAll(/\s+/g, ' ')
const count = (whole: string, part: string) => whole.split(part).length - 1

describe('an email address or a phone number', () => {
  test('they stand together, and neither is marked as optional', async () => {
    const page = await (await openForm([[NAME, EMAIL, PHONE]])).open()
    const html = spaced(page.text)
    const [, fields = ''] = /<fieldset class="field" data-one-of(.*?)<\/fieldset>/.exec(html) ?? []
    expect(fields).toContain('Email address or phone number</legend>')
    expect(fields).toContain('name="email"')
    expect(fields).toContain('name="phone"')
    expect(fields).not.toContain('(optional)')
    expect(fields).not.toContain(' required')
    expect(fields).not.toContain('aria-invalid')
  })

  test('without both, one sentence says it once, and both fields refer to it', async () => {
    const { open, send } = await openForm([[NAME, EMAIL, PHONE]])
    const { hidden } = await open()
    const name = fresh('Neither')
    const refused = await send(hidden, { name, email: '', phone: ' ' })
    expect(refused.status).toBe(422)
    const html = spaced(refused.text)
    expect(html).toContain('Please check one answer')
    expect(html).toContain('<a href="#f-email">Enter an email address or a phone number.</a>')
    // In the list above the form, and at the fields.
    expect(count(html, 'Enter an email address or a phone number.')).toBe(2)
    expect(html).not.toContain('Answer this question.')
    expect(html).toContain('<p class="error" id="g-contact-error">')
    for (const code of ['email', 'phone'])
      expect(html).toMatch(
        new RegExp(`id="f-${code}" name="${code}" aria-describedby="g-contact-error" aria-invalid="true"`),
      )
    expect(html).toContain(`value="${name}"`)
    expect(await stored(name)).toEqual([])
    expect((await send(refused.hidden, { name, email: '', phone: '916 555 0177' })).status).toBe(303)
    expect(await stored(name)).toMatchObject([{ state: 'received' }])
  })

  test('a mistyped one is one mistake, at its field', async () => {
    const { open, send } = await openForm([[NAME, EMAIL, PHONE]])
    const { hidden } = await open()
    const refused = await send(hidden, { name: fresh('Typo'), email: 'nobody', phone: '' })
    expect(refused.text).toContain('Please check one answer')
    expect(refused.text).toContain('Email: Enter an email address, like name@example.com.')
    expect(refused.text).not.toContain('or a phone number.')
    expect(refused.text).not.toContain('g-contact-error')
  })

  test('in the language of the visitor, and as the dealer says it', async () => {
    const { open, send } = await openForm([[NAME, EMAIL, PHONE]], ['en', 'es'])
    const page = await open('?lang=es')
    expect(page.text).toContain('Dirección de correo o número de teléfono')
    const refused = await send(page.hidden, { name: fresh('Nadie'), email: '', phone: '' })
    expect(refused.text).toContain('Introduzca una dirección de correo o un número de teléfono.')

    const own = { required: text('How can we reach you?') }
    const written = await openForm([[NAME, { ...EMAIL, messages: own }, PHONE]])
    const answer = await written.send((await written.open()).hidden, {
      name: fresh('Own'),
      email: '',
      phone: '',
    })
    expect(count(answer.text, 'How can we reach you?')).toBe(2)
  })
})

test('any questions can be alternatives, and the sentence names them', async () => {
  const car: Question[] = [
    { type: 'vin', code: 'vin', title: text('VIN'), oneOf: 'car' },
    { type: 'text', code: 'plate', title: text('License plate'), oneOf: 'car' },
    {
      type: 'multiple',
      code: 'kind',
      title: text('Kind of car'),
      oneOf: 'car',
      choices: [{ value: 'suv', title: text('SUV') }],
    },
  ]
  const { open, send } = await openForm([[NAME, { ...FREE_EMAIL, obligation: 'required' }, ...car]])
  const page = await open()
  expect(page.text).toContain('Answer at least one of these')
  const sent = { name: fresh('Car'), email: 'a@mail.example' }
  const refused = await send(page.hidden, { ...sent, vin: '', plate: '' })
  expect(refused.text).toContain('Please check one answer')
  expect(refused.text).toContain('Answer one of these: VIN, License plate, Kind of car.')
  expect((await send(refused.hidden, { ...sent, vin: '', plate: '', kind: 'suv' })).status).toBe(303)
})

describe('one of them is only asked after another answer', () => {
  const later = { ...PHONE, visibleIf: 'call' }

  test('alone, the other is required like any question', async () => {
    const { open, send } = await openForm([[NAME, CALL, EMAIL, later]])
    const page = await open()
    expect(spaced(page.text)).toMatch(/<fieldset class="field" data-one-of="contact" data-alone >/)
    const refused = await send(page.hidden, { name: fresh('Alone'), call: 'false', email: '' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('Email: Answer this question.')
  })

  test('it is shown before one of them is missed', async () => {
    const { open, send } = await openForm([[NAME, CALL, EMAIL, later]])
    const { hidden } = await open()
    const name = fresh('Called')
    const asked = await send(hidden, { name, call: 'true', email: '' })
    expect(asked.status).toBe(200)
    expect(asked.text).toContain('Please answer one more question')
    expect(asked.text).not.toContain('Please check')
    const refused = await send(asked.hidden, { name, call: 'true', email: '', phone: '' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('Enter an email address or a phone number.')
    expect(
      (await send(refused.hidden, { name, call: 'true', email: '', phone: '916 555 0177' })).status,
    ).toBe(303)
  })
})

test('a step is not stored without one of its questions, and goes on with it', async () => {
  const more: Question = { type: 'longText', code: 'message', title: text('Message') }
  const { open, send } = await openForm([[NAME, EMAIL, PHONE], [more]])
  const { hidden } = await open()
  const name = fresh('Step')
  const refused = await send(hidden, { name, email: '', phone: '' })
  expect(refused.status).toBe(422)
  expect(await stored(name)).toEqual([])
  const next = await send(refused.hidden, { name, email: 'a@mail.example', phone: '' })
  expect(next.text).toContain('Step 2 of 2')
  expect(await stored(name)).toMatchObject([{ state: 'unfinished' }])
  expect((await send(next.hidden, { message: 'Hello' })).status).toBe(303)
})

test('a file that could not be stored is not an answer that is missing', async () => {
  const photos: Question = { type: 'file', code: 'photos', title: text('Photos'), oneOf: 'proof' }
  const words: Question = { type: 'longText', code: 'words', title: text('Describe it'), oneOf: 'proof' }
  const form = await place.addForm({
    draft: {
      languages: ['en'],
      sections: [
        {
          id: 'a',
          title: text('Ask'),
          questions: [NAME, { ...FREE_EMAIL, obligation: 'required' }, photos, words],
        },
      ],
    },
    leadFields: { fullName: 'name', email: 'email' },
  })
  const { open, sendFiles } = visitorOf(forecourt, HOST)
  const { hidden } = await open(`/f/${form.key}`)
  const entries: [string, string][] = [
    ...Object.entries(hidden),
    ['name', fresh('File')],
    ['email', 'a@mail.example'],
    ['words', ''],
  ]
  const program = {
    field: 'photos',
    name: 'run.exe',
    type: 'application/x-msdownload',
    bytes: Buffer.from('MZ'),
  }
  const refused = await sendFiles(`/f/${form.key}`, entries, [program])
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('Please check one answer')
  expect(refused.text).not.toContain('Answer one of these')
})

test('a published form with two rules that name each other works as before', async () => {
  const { open, send } = await openForm([
    [NAME, { ...FREE_EMAIL, requiredIf: 'phone == null' }, { ...FREE_PHONE, requiredIf: 'email == null' }],
  ])
  const { hidden } = await open()
  const refused = await send(hidden, { name: fresh('Rules'), email: '', phone: '' })
  expect(refused.text).toContain('Please check 2 answers')
})
